// replay.cc: condyle._replay, the files of runs behind condyle.replay.

#include <condyle/replay.h>

#include <string>
#include <utility>

#include "base/guard.h"
#include "model/data.h"
#include "model/model.h"
#include "worlds/worlds.h"

namespace {

constexpr const char* kBusy = "the run is in use by another thread";

class Recorder {
 public:
  Recorder(const std::string& path, nb::object model, nb::object data) : model_(model) {
    const mjModel* m = or_raise(model_of(model.ptr(), "model"));
    const mjData* d = or_raise(data_for(data.ptr(), m, "data"));
    char error[kMessageSize] = "";
    engine([&] { recorder_ = cnd_openRecorder(path.c_str(), m, d, error, sizeof(error)); });
    if (!recorder_) {
      raise(PyExc_OSError, error);
    }
  }

  ~Recorder() {
    cnd_dropRecorder(recorder_);
  }

  void step(nb::object data, int nstep) {
    Use use(&busy_, kBusy);
    cndRecorder* recorder = open();
    const mjModel* m = or_raise(model_of(model_.ptr(), "model"));
    mjData* d = or_raise(data_for(data.ptr(), m, "data"));
    engine(
        [&] {
          for (int i = 0; i < nstep; i++) {
            cnd_recordStep(recorder, m, d);
          }
        },
        true);
  }

  void close() {
    Use use(&busy_, kBusy);
    cndRecorder* recorder = std::exchange(recorder_, nullptr);
    char error[kMessageSize] = "";
    int done = 1;
    if (recorder) {
      engine([&] { done = cnd_closeRecorder(recorder, error, sizeof(error)); });
    }
    if (!done) {
      raise(PyExc_OSError, error);
    }
  }

 private:
  cndRecorder* open() {
    if (!recorder_) {
      raise(PyExc_ValueError, "the recorder is closed");
    }
    return recorder_;
  }

  nb::object model_;
  cndRecorder* recorder_ = nullptr;
  bool busy_ = false;
};

class Replay {
 public:
  explicit Replay(const std::string& path) {
    char error[kMessageSize] = "";
    engine([&] { replay_ = cnd_openReplay(path.c_str(), error, sizeof(error)); });
    if (!replay_) {
      raise(PyExc_ValueError, error);
    }
  }

  ~Replay() {
    cnd_closeReplay(replay_);
  }

  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  nb::object model() {
    mjModel* m = nullptr;
    engine([&] { m = mj_copyModel(nullptr, cnd_replayModel(replay_)); });
    if (!m) {
      throw std::bad_alloc();
    }
    return steal_or_raise(model_make(m));
  }

  int64_t steps() const {
    return cnd_replaySteps(replay_);
  }

  std::string writer() const {
    return cnd_replayWriter(replay_);
  }

  void start(nb::object data) {
    Use use(&busy_, kBusy);
    mjData* d = of_run(data);
    engine([&] { cnd_replayStart(replay_, d); });
  }

  void inputs(nb::object data) {
    Use use(&busy_, kBusy);
    mjData* d = of_run(data);
    engine([&] { cnd_replayInputs(replay_, d); });
  }

  int step(nb::object data) {
    Use use(&busy_, kBusy);
    mjData* d = of_run(data);
    cndtReplay outcome = cndREPLAY_END;
    engine([&] { outcome = cnd_replayStep(replay_, d); }, true);
    return outcome;
  }

  nb::tuple distance(nb::object data) {
    mjData* d = of_run(data);
    mjtNum qpos = 0, qvel = 0;
    engine([&] { cnd_replayDistance(replay_, d, &qpos, &qvel); });
    return nb::make_tuple(static_cast<double>(qpos), static_cast<double>(qvel));
  }

 private:
  mjData* of_run(const nb::object& data) {
    return or_raise(data_for(data.ptr(), cnd_replayModel(replay_), "data"));
  }

  cndReplay* replay_ = nullptr;
  bool busy_ = false;
};

std::string here() {
  char text[256];
  cnd_replayHere(text, sizeof(text));
  return text;
}

}  // namespace

void init_replay(nb::module_& module) {
  nb::class_<Recorder>(module, "_Recorder", "The file of a run: see condyle.replay.")
      .def(nb::init<const std::string&, nb::object, nb::object>(), nb::arg("path"),
           nb::arg("model"), nb::arg("data"))
      .def("step", &Recorder::step, nb::arg("data"), nb::arg("nstep"))
      .def("close", &Recorder::close);
  nb::class_<Replay>(module, "_Replay", "A run that was read: see condyle.replay.")
      .def(nb::init<const std::string&>(), nb::arg("path"))
      .def("model", &Replay::model)
      .def("steps", &Replay::steps)
      .def("writer", &Replay::writer)
      .def("start", &Replay::start, nb::arg("data"))
      .def("inputs", &Replay::inputs, nb::arg("data"))
      .def("step", &Replay::step, nb::arg("data"))
      .def("distance", &Replay::distance, nb::arg("data"));
  module.def("_replay_here", here);
}
