// mjlog.h: what is told while the engine runs: messages, their kinds, and where they go.

#ifndef MUJOCO_MJLOG_H_
#define MUJOCO_MJLOG_H_

#include <stdbool.h>

typedef enum mjtLogLevel_ {
  mjLOG_DEBUG = 0,  // a trace for who looks into the engine
  mjLOG_INFO,       // worth knowing
  mjLOG_WARNING,    // something is wrong, and the call goes on
  mjLOG_ERROR,      // the call can't go on
} mjtLogLevel;

// What a message is about. Messages with a topic are written only where it is switched on.
typedef enum mjtLogTopic_ {
  mjTOPIC_NONE = 0,      // nothing of these: always written
  mjTOPIC_TIME_STP = 1,  // time of steps
  mjTOPIC_TIME_CMP = 2,  // time of compiling
  mjTOPIC_SLEEP = 3,     // what falls asleep and wakes up
  mjNTOPIC = 3           // number of topics
} mjtLogTopic;

struct mjLogMessage_ {
  int level;           // mjtLogLevel
  int topic;           // mjtLogTopic
  char subject[1024];  // the message in one line
  const char* body;    // more lines, NULL if none
  const char* func;    // function that tells it, NULL if unknown
  const char* file;    // its file, NULL if unknown
  int line;            // line in the file, 0 if unknown
  bool timestamp;      // 1 to write the time with it
};
typedef struct mjLogMessage_ mjLogMessage;

// Where messages are written if the program has no handler of its own.
struct mjLogConfig_ {
  bool logto_console;  // 1 to print them
  bool logto_file;     // 1 to add them to the log file
  char logfile[1024];  // name of that file
  int topics;          // bit (topic - 1) switches a topic on
};
typedef struct mjLogConfig_ mjLogConfig;

// A program's handler of messages. It is called by any thread.
typedef void (*mjfLogHandler)(const mjLogMessage* message);

#endif  // MUJOCO_MJLOG_H_
