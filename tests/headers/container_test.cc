// Texts and arrays of mjSpec in a C++ program written for std::string and std::vector. Where the
// reference is present, this file is compiled against its headers as well.

#include <mujoco/mujoco.h>

#include <cstddef>
#include <cstdio>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

static int failures = 0;

static void Check(bool good, const char* what, int line) {
  if (!good) {
    std::printf("line %d: not true: %s\n", line, what);
    failures++;
  }
}
#define CHECK(condition) Check(condition, #condition, __LINE__)

static void TextsBehaveLikeStrings(mjSpec* spec) {
  mjString& name = *spec->modelname;
  name = "arm";
  CHECK(name == "arm" && "arm" == name && name != "leg" && "leg" != name);
  CHECK(name == std::string("arm") && std::string("arm") == name && std::string("leg") != name);
  CHECK(name.size() == 3 && name.length() == 3 && !name.empty() && name[1] == 'r');
  CHECK(name.front() == 'a' && name.back() == 'm');
  std::string copy = name;
  const std::string& bound = name;
  CHECK(copy == "arm" && bound == "arm" && std::string(name) == copy);
  name = copy + "_2";
  name += "x";
  name += std::string("y");
  name.push_back('z');
  name.append("!");
  CHECK(name == "arm_2xyz!" && std::string(name.c_str()) == "arm_2xyz!");
  name[0] = 'A';
  CHECK(name + "?" == "Arm_2xyz!?" && "<" + name == "<Arm_2xyz!" &&
        name + name == name + copy.assign(name));
  CHECK(name.find("_2") == 3 && name.find("none") == std::string::npos &&
        name.substr(0, 3) == "Arm");
  CHECK(name.rfind("y") == 6 && name.compare("Arm") > 0);
  std::string letters;
  for (char letter : name) {
    letters += letter;
  }
  CHECK(name == letters);
  std::ostringstream stream;
  stream << name;
  CHECK(stream.str() == letters);
  std::map<std::string, int> number;
  number[name] = 4;
  CHECK(number.count(letters) == 1);
  mjString other = name;
  name.clear();
  CHECK(name.empty() && other == letters && name < other);
  name = other;
  CHECK(name == other && !(name != other));
  mjs_setString(&name, "set in C");
  CHECK(name == "set in C" && std::string(mjs_getString(spec->modelname)) == "set in C");
}

static void ArraysBehaveLikeVectors(mjSpec* spec) {
  mjsKey* key = mjs_addKey(spec);
  mjDoubleVec& qpos = *key->qpos;
  CHECK(qpos.empty());
  qpos = {1, 2, 3};
  std::vector<double> copy = qpos;
  CHECK(copy.size() == 3 && qpos == copy && copy == qpos && qpos.size() == 3);
  copy.push_back(4);
  CHECK(qpos != copy && copy != qpos);
  qpos = copy;
  CHECK(qpos[3] == 4 && qpos.at(3) == 4 && qpos.front() == 1 && qpos.back() == 4);
  CHECK(std::accumulate(qpos.begin(), qpos.end(), 0.0) == 10);
  qpos.push_back(5);
  qpos.insert(qpos.end(), copy.begin(), copy.end());
  qpos.insert(qpos.begin(), 0.5);
  CHECK(qpos == (std::vector<double>{.5, 1, 2, 3, 4, 5, 1, 2, 3, 4}));
  qpos.erase(qpos.begin());
  qpos.erase(qpos.begin() + 4, qpos.end());
  CHECK(qpos == copy);
  qpos.resize(6, 7.0);
  CHECK(qpos.size() == 6 && *(qpos.data() + 5) == 7);
  qpos.assign(2, 9.0);
  double sum = 0;
  for (double& x : qpos) {
    x += 1;
    sum += x;
  }
  CHECK(sum == 20);
  int n = 0;
  const double* data = mjs_getDouble(key->qpos, &n);
  CHECK(n == 2 && data[1] == 10);
  const double values[] = {3, 2, 1};
  mjs_setDouble(key->qpos, values, 3);
  CHECK(qpos == (std::vector<double>{3, 2, 1}));
  bool thrown = false;
  try {
    qpos.at(3) = 1;
  } catch (const std::out_of_range&) {
    thrown = true;
  }
  CHECK(thrown);
  qpos.clear();
  CHECK(qpos.empty() && qpos.begin() == qpos.end());
}

static void ArraysOfTextsAndArraysNest(mjSpec* spec) {
  mjsTexture* texture = mjs_addTexture(spec);
  mjStringVec& files = *texture->cubefiles;
  mjs_setStringVec(texture->cubefiles, "right left");
  CHECK(files.size() == 2 && files[1] == "left");
  files.push_back("up");
  files[0] = "down";
  std::vector<std::string> names(files.begin(), files.end());
  CHECK((names == std::vector<std::string>{"down", "left", "up"}));
  files = names;
  CHECK(files.size() == 3 && files.back() == "up");

  mjsSkin* skin = mjs_addSkin(spec);
  const int ids[] = {1, 2};
  mjs_appendIntVec(skin->vertid, ids, 2);
  skin->vertid->push_back({3});
  CHECK(skin->vertid->size() == 2 && (*skin->vertid)[0][1] == 2 && (*skin->vertid)[1].size() == 1);

  mjsMesh* mesh = mjs_addMesh(spec, nullptr);
  std::vector<float> vertices(12, 0.5f);
  *mesh->uservert = vertices;
  CHECK(mesh->uservert->size() == 12 && (*mesh->uservert)[11] == 0.5f);
  *texture->data = std::vector<std::byte>(3, std::byte{7});
  CHECK(texture->data->size() == 3 && (*texture->data)[2] == std::byte{7});
}

int main() {
  mjSpec* spec = mj_makeSpec();
  TextsBehaveLikeStrings(spec);
  ArraysBehaveLikeVectors(spec);
  ArraysOfTextsAndArraysNest(spec);
  mj_deleteSpec(spec);
  return failures > 0;
}
