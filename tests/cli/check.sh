#!/bin/sh
# The program's promises: exit statuses, one line for an error with its place, the table, the trajectory file.
# usage: check.sh CONDYLE SOURCE_DIR
set -u
condyle=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
models=$(cd "$2" && pwd)/models
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 1
passed=0
failed=0

# check NAME STATUS PATTERN COMMAND...: the command ends with STATUS and prints PATTERN (extended regular expression)
check() {
  name=$1 status=$2 pattern=$3
  shift 3
  "$@" > output 2>&1
  got=$?
  if [ $got -eq "$status" ] && grep -qE -- "$pattern" output; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name: status $got (expected $status), expected /$pattern/ in:"
    head -20 output
  fi
}
one_line() {
  if [ "$(wc -l < output)" -eq 1 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $1: not one line:"
    cat output
  fi
}

check "help lists the commands" 0 'condyle simulate MODEL' "$condyle" --help
check "version" 0 '^condyle [0-9]+\.[0-9]+\.[0-9]+' "$condyle" --version
check "help to a full disk is a failure" 1 '^standard output: No space' sh -c '"$1" --help > /dev/full' - "$condyle"
check "the version to a full disk is a failure" 1 '^standard output: No space' sh -c '"$1" --version > /dev/full' - "$condyle"
check "help to a closed stream is a failure" 1 '^standard output: Bad file' sh -c '"$1" --help >&-' - "$condyle"
check "no command" 2 'command is missing' "$condyle"
check "help of a command" 0 '^  condyle render MODEL' "$condyle" render --help
check "help of a command alone" 0 '^0$' sh -c '"$1" render -h | grep -c simulate; true' - "$condyle"
check "help behind its other words" 0 '^  condyle record MODEL' "$condyle" record none.xml --help
check "help with a command" 0 '^  condyle plot FILE' "$condyle" help plot
check "help with an unknown command" 2 "unknown command 'fly'" "$condyle" help fly
check "help tells of the viewer" 0 'condyle view MODEL' "$condyle" --help
check "a view needs a model" 2 'exactly one file' "$condyle" view --no-browser
check "a view of no file" 2 '^none.xml: No such file' "$condyle" view none.xml
check "a view without its page" 2 '^none.html: No such file' "$condyle" view "$models/chain.xml" --page none.html
printf '<robot name="r"><link name="a"><collision><geometry><mesh filename="none.stl"/></geometry></collision></link></robot>\n' > broken.urdf
check "a view of a broken robot" 2 "^broken.urdf:1:[0-9]+: <mesh>: no file 'none.stl'" "$condyle" view broken.urdf --no-browser --page broken.urdf
one_line "a view of a broken robot"
check "unknown command" 2 "unknown command 'fly'" "$condyle" fly

check "the humanoid falls without a warning" 0 '^warnings +none' "$condyle" simulate "$models/humanoid.xml" --time 2
check "the table tells the simulated time" 0 '^simulated time +0\.5 s in 100 steps' \
  "$condyle" simulate "$models/humanoid.xml" --steps 100 --ctrl noise:0.5 --seed 7
check "the profile has stages" 0 '^ +narrow phase +[0-9.]+ +[0-9.]+ %' \
  "$condyle" simulate "$models/humanoid.xml" --steps 300 --profile
check "the profile has pairs of geoms" 0 "[0-9]   plane 'floor', " "$condyle" simulate "$models/humanoid.xml" --steps 300 --profile
check "a profile needs a model" 2 'exactly one file' "$condyle" simulate --profile
printf '<mujoco><custom><text name="condyle.contact" data="hard"/><numeric name="condyle.iterations" data="1"/></custom><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body><body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>\n' > "$here/stack.xml"
check "warnings of our own kinds are told" 0 '^warnings +[0-9]+ x Hard contacts end above' "$condyle" simulate "$here/stack.xml" --time 0.1
check "hard contacts" 0 '^warnings +none' "$condyle" simulate "$models/humanoid.xml" --time 1 --contact hard
check "hard contacts that bounce" 0 '^warnings +none' \
  "$condyle" simulate "$models/humanoid.xml" --time 1 --contact hard --restitution 0.3
check "contacts of a kind unknown" 2 "must be soft, hard or stick, not 'firm'" "$condyle" simulate "$models/humanoid.xml" --contact firm
check "too much restitution" 2 '--restitution' "$condyle" simulate "$models/humanoid.xml" --restitution 1.5
check "keyframe by name" 0 'energy at start' "$condyle" simulate "$models/humanoid.xml" --steps 5 --key leap
check "keyframe by number" 0 'energy at start' "$condyle" simulate "$models/humanoid.xml" --steps 5 --key 0
check "unknown keyframe" 2 "no keyframe 'nap'" "$condyle" simulate "$models/humanoid.xml" --key nap
check "keyframe out of range" 2 "no keyframe '99'" "$condyle" simulate "$models/humanoid.xml" --key 99
check "unknown option" 2 "unknown option '--fast'" "$condyle" simulate "$models/humanoid.xml" --fast
one_line "unknown option"
check "option without value" 2 'needs a value' "$condyle" simulate "$models/humanoid.xml" --time
check "bad number" 2 "not 'soon'" "$condyle" simulate "$models/humanoid.xml" --time soon
check "negative steps" 2 "not '-3'" "$condyle" simulate "$models/humanoid.xml" --steps -3
for number in 1.5 nan inf 1e99 3x '' 1e15.5 0x; do
  check "steps '$number'" 2 "--steps must be a whole number from 0 to 1000000000000000, not '$number'" \
    "$condyle" simulate "$models/chain.xml" --steps "$number"
done
for number in -1 nan inf 1e10 1s; do
  check "time '$number'" 2 "--time must be a number from 0 to 1e\+09, not '$number'" \
    "$condyle" simulate "$models/chain.xml" --time "$number"
done
for number in -1 nan inf 1e7 1% ''; do
  check "noise '$number'" 2 "--ctrl must be a number from 0 to 1e\+06, not '$number'" \
    "$condyle" simulate "$models/chain.xml" --ctrl "noise:$number"
done
for number in -1 0.5 nan 9007199254740992 18446744073709551616 7seven; do
  check "seed '$number'" 2 "--seed must be a whole number from 0 to 9007199254740991, not '$number'" \
    "$condyle" simulate "$models/chain.xml" --seed "$number"
done
for number in 99999999999999999999 0.5 -1 0x ''; do
  check "keyframe '$number'" 2 "no keyframe '$number'" "$condyle" simulate "$models/humanoid.xml" --key "$number"
done
check "steps with an exponent" 0 ' in 20 steps$' "$condyle" simulate "$models/chain.xml" --steps 2e1
check "a run is saved" 0 'in 50 steps$' "$condyle" simulate "$models/humanoid.xml" --steps 50 --ctrl noise:0.5 --save run.cnd --out saved.csv
check "and stepped again with the same bits" 0 '^bits +the same after every step' "$condyle" replay run.cnd --out replayed.csv --model run.mjb
check "its steps are told" 0 '^steps +50 of 50, to time 0\.25 s' "$condyle" replay run.cnd
check "its first steps" 0 '^steps +7 of 50, to time 0\.035 s' "$condyle" replay run.cnd --steps 7
check "its trajectory" 0 '^same$' sh -c 'head -51 saved.csv | cmp - replayed.csv && echo same'
check "its model" 0 'steps' "$condyle" simulate run.mjb --steps 1
cp run.cnd broken.cnd
printf x | dd of=broken.cnd bs=1 seek=9000 conv=notrunc 2> dd.log
check "a damaged run is refused" 2 '^broken.cnd: is damaged or cut off' "$condyle" replay broken.cnd
one_line "a damaged run is refused"
check "a model is no run" 2 'not a recorded run' "$condyle" replay "$models/humanoid.xml"
check "a missing run" 2 'none\.cnd' "$condyle" replay none.cnd
check "a run is not overwritten" 2 'would overwrite' "$condyle" replay run.cnd --model run.cnd
check "no run" 2 'exactly one file' "$condyle" replay
check "a run and its table in one file" 2 'the same file' "$condyle" simulate "$models/humanoid.xml" --out a.cnd --save a.cnd
check "an unwritable run" 1 'no/such/place' "$condyle" simulate "$models/humanoid.xml" --steps 1 --save no/such/place.cnd
check "bad control" 2 "zero or noise" "$condyle" simulate "$models/humanoid.xml" --ctrl sine
check "time and steps together" 2 'give --time or --steps' "$condyle" simulate "$models/humanoid.xml" --time 1 --steps 2
check "no model" 2 'exactly one file' "$condyle" simulate
check "missing file" 2 '^none\.xml' "$condyle" simulate none.xml
one_line "missing file"
mkdir -p sub dir.xml dir.mjb dir.urdf
for file in empty.xml empty.urdf empty.mjb; do : > $file; done
for file in none.mjb none.urdf dir.xml dir.mjb dir.urdf empty.xml empty.urdf empty.mjb; do
  for command in simulate compile lint; do
    check "$command of $file" 2 "^$file: " "$condyle" $command $file
    one_line "$command of $file"
  done
done
check "a model without a name" 2 "opening file ''" "$condyle" simulate ''
printf '<mujoco><option timestep="0"/><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>\n' > still.xml
check "a timestep of 0 reaches no time" 2 '^still.xml: with a timestep of 0 no time is ever reached: give --steps$' \
  timeout 10 "$condyle" simulate still.xml --time 1
check "a timestep of 0 has steps" 0 ' in 3 steps$' "$condyle" simulate still.xml --steps 3
check "unwritable output" 1 'no/such/place' "$condyle" simulate "$models/humanoid.xml" --steps 1 --out no/such/place.csv

printf '<mujoco>\n  <worldbody>\n    <body>\n      <joint dampng="1"/>\n      <geom size="0.1" mas="1"/>\n    </body>\n  </worldbody>\n</mujoco>\n' > bad.xml
check "an error has its place" 2 "^bad\.xml:4:[0-9]+: <joint>: .*dampng.*\(did you mean 'damping'\?\)" "$condyle" simulate bad.xml
one_line "an error has its place"
check "compile shows the second error as well" 2 "^bad\.xml:5:[0-9]+: <geom>: .*mas" "$condyle" compile bad.xml
{
  echo '<mujoco><worldbody>'
  yes '<geom mas="1"/>' | head -1200
  echo '</worldbody></mujoco>'
} > worse.xml
check "compile counts the problems that it doesn't show" 2 '^[0-9]+ more are not shown$' "$condyle" compile worse.xml
check "compile shows sizes" 0 'degrees of freedom 27' "$condyle" compile "$models/humanoid.xml"
check "compile shows dofs by name" 0 '^right_knee ' "$condyle" compile "$models/humanoid.xml"
check "compile needs one model" 2 'exactly one file' "$condyle" compile
"$condyle" compile "$models/humanoid.xml" -o h.mjb > output 2>&1
"$condyle" compile "$models/humanoid.xml" -o h.xml > output 2>&1
"$condyle" compile h.xml -o h2.mjb > output 2>&1
check "a binary model is read" 0 'degrees of freedom 27' "$condyle" compile h.mjb
check "a saved model has the same degrees of freedom" 0 'degrees of freedom 27' "$condyle" compile h.xml
check "binary models of the same size" 0 '^same$' sh -c 'test $(wc -c < h.mjb) -eq $(wc -c < h2.mjb) && echo same'
check "a binary model is simulated" 0 'energy' "$condyle" simulate h.mjb --steps 5
check "a model as text" 0 '^BODY 1:' sh -c '"$1" compile h.mjb -o h.txt && cat h.txt' - "$condyle"
head -c 5000 h.mjb > cut.mjb
check "a truncated binary model" 2 'Truncated model file' "$condyle" compile cut.mjb
check "a binary model can't become MJCF" 2 "can't become MJCF" "$condyle" compile h.mjb -o x.xml
check "an unknown format" 2 'must end with' "$condyle" compile h.mjb -o x.json
check "an output that can't be written" 1 'no/such/place' "$condyle" compile h.mjb -o no/such/place.txt
check "an output of MJCF that can't be written" 1 'no/such/place' "$condyle" compile "$models/chain.xml" -o no/such/place.xml
printf '<mujoco>\n<worldbody><body>\n<joint name="j" damping="-1" range="-1.57 1.57"/><geom size=".1"/></body></worldbody>\n</mujoco>\n' > odd.xml
check "lint is silent about a good model" 0 '^$' sh -c '"$1" lint "$2" && echo' - "$condyle" "$models/humanoid.xml"
one_line "lint is silent about a good model"
check "a finding has place, numbers, hint and check" 1 \
  "^odd\.xml:3:1: warning: <joint 'j'>: damping -1 is negative: .* \(damping=\"1\"\) \[negative-loss\]$" \
  "$condyle" lint odd.xml
check "lint finds more than one slip" 1 '^odd\.xml:3:1: .*looks like radians .*\[angle-units\]$' "$condyle" lint odd.xml
check "a disabled check is silent" 1 'negative-loss' "$condyle" lint odd.xml --disable angle-units
one_line "a disabled check is silent"
check "all checks that speak disabled" 0 '^$' \
  sh -c '"$1" lint --disable angle-units,negative-loss,initial-limit odd.xml && echo' - "$condyle"
check "an unknown check" 2 "unknown check 'angel-units' \(did you mean 'angle-units'\?\)" \
  "$condyle" lint odd.xml --disable angel-units
cp "$models/../tests/models/since/dialect.xml" dialect.xml
sed 's/<compiler dialect="3.12"\/>//; s/<behaviour.*>//' dialect.xml > plain.xml
check "compile tells what a dialect changes" 0 '^actearly +since 3\.5: .*at its next activation' \
  "$condyle" compile plain.xml --dialect 4.0
check "compile tells that the numbers stay" 0 'the compiled model has the same numbers' \
  "$condyle" compile plain.xml --dialect 4.0
check "compile tells what a dialect doesn't concern" 0 '^actearly .*\(of no effect here\)' \
  "$condyle" compile "$models/humanoid.xml" --dialect 4.0
check "a model is written in a dialect" 0 'dialect="4\.0"' "$condyle" compile plain.xml --dialect 4.0 -o -
check "a binary model has its rules" 2 'needs a model as text' "$condyle" compile h.mjb --dialect 4.0
check "a dialect is a release" 2 "release from 3\.3 to 4\.0, not 'new'" "$condyle" compile plain.xml --dialect new
check "lint tells what a dialect changes" 1 'plain\.xml: warning: dialect 4\.0: .*actearly="disable".*\[dialect\]' \
  "$condyle" lint plain.xml --dialect 4.0
check "lint is silent about a dialect without effect" 0 '^$' \
  sh -c '"$1" lint "$2" --dialect 3.15 && echo' - "$condyle" "$models/humanoid.xml"
check "lint lists its checks" 0 '^stiff-spring +a spring' "$condyle" lint --list
check "lint shows why a model doesn't load" 2 "^bad\.xml:4:[0-9]+: error: <joint>: .*dampng" "$condyle" lint bad.xml
check "lint of a missing file" 2 'none\.xml' "$condyle" lint none.xml
"$condyle" simulate "$models/humanoid.xml" --time 1 --out run.csv > output 2>&1
check "a plot is well-formed" 0 '^qpos qvel energy$' sh -c '"$1" plot run.csv -o run.svg && python3 -c "
import xml.dom.minidom
texts = xml.dom.minidom.parse(\"run.svg\").getElementsByTagName(\"text\")
print(*(t.firstChild.data for t in texts if t.getAttribute(\"class\") == \"panel\"))"' - "$condyle"
check "a plot has a line for each column" 0 '^57$' sh -c '"$1" plot run.csv | grep -c "<title>"' - "$condyle"
check "columns are chosen by patterns" 0 '^4$' sh -c '"$1" plot run.csv --columns "qpos[0-2],kinetic" | grep -c "<title>"' - "$condyle"
printf 'a,"b<1>",c\n0,1,nan\n1,,inf\n2,3,1e308\n3,1,-1e308\n' > gaps.csv
check "gaps and names with signs of XML" 0 '^2$' sh -c '"$1" plot gaps.csv --columns "b*" -o gaps.svg && python3 -c "
import xml.dom.minidom
lines = xml.dom.minidom.parse(\"gaps.svg\").getElementsByTagName(\"path\")
print(next(l.getAttribute(\"d\").count(\"M\") for l in lines if l.firstChild))"' - "$condyle"
check "numbers as large as can be" 0 '<path' "$condyle" plot gaps.csv --columns c
printf 't,v\n0,0\n' > point.csv
check "a plot of one point" 0 '<path' "$condyle" plot point.csv
for number in $(seq 20000); do echo "$number,$((number * 7919 % 1000))"; done | sed '1i t,v' > long.csv
check "long runs are thinned" 0 '^[0-9]{4,5}$' sh -c '"$1" plot long.csv | wc -c' - "$condyle"
check "a plot of the standard input" 0 '<path' sh -c '"$1" plot - < point.csv' - "$condyle"
printf '1,2\n3,4\n' > nameless.csv
check "a table without names" 2 '^nameless.csv:1: the first line must name the columns$' "$condyle" plot nameless.csv
printf 'a,b\n\n3\n' > short.csv
check "a short row" 2 '^short.csv:3: there are fewer numbers than columns$' "$condyle" plot short.csv
printf 'a,b\n1,2,3\n' > wide.csv
check "a wide row" 2 '^wide.csv:2: there are more numbers than columns$' "$condyle" plot wide.csv
printf 'a,b\n1,2x\n' > word.csv
check "a word among numbers" 2 "^word.csv:2: '2x' is not a number$" "$condyle" plot word.csv
one_line "a word among numbers"
printf 'a,b\n' > none.csv
check "a table without rows" 2 '^none.csv:1: there are no numbers$' "$condyle" plot none.csv
: > empty.csv
check "an empty table" 2 '^empty.csv: is empty$' "$condyle" plot empty.csv
check "a missing table" 2 '^no.csv: No such file' "$condyle" plot no.csv
check "a folder as table" 2 '^sub: Is a directory' "$condyle" plot sub
check "no such column" 2 "no column matches 'z'" "$condyle" plot run.csv --columns z
check "no such horizontal axis" 2 "there is no column 'z' for --x" "$condyle" plot run.csv --x z
check "a plot over its own table" 2 'would be overwritten' sh -c 'cp run.csv own.svg && "$1" plot own.svg -o own.svg' - "$condyle"
check "a plot of another kind" 2 "must end in .svg or be -, not 'run.png'" "$condyle" plot run.csv -o run.png
printf 'time,a\n0,\033[2Jx\n' > escape.csv
check "no escapes to the terminal" 2 "^escape.csv:2: '\?\[2Jx' is not a number" "$condyle" plot escape.csv
check "a plot that can't be written" 1 'no/such/place' "$condyle" plot run.csv -o no/such/place.svg

chain=$models/chain.xml
cat > pictures.py << 'END'
import base64, re, struct, sys
text = open(sys.argv[1]).read()
png = base64.b64decode(re.findall('base64,([^"]*)', text)[2])
print(text.count(">collision<"), text.count(">visual<"), png[1:4].decode(), *struct.unpack(">II", png[16:24]))
END
if "$condyle" render "$chain" --size 8x8 -o tiny.png > output 2>&1; then
  png='import struct, sys; b = open(sys.argv[1], "rb").read(); print(b[1:4].decode(), *struct.unpack(">IIBB", b[16:26]))'
  check "a picture" 0 '^PNG 320 180 8 2$' sh -c '"$1" render "$2" --size 320x180 -o a.png && python3 -c "$3" a.png' - "$condyle" "$chain" "$png"
  check "depths" 0 '^PNG 32 18 16 0$' sh -c '"$1" render "$2" --depth --size 32x18 -o z.png && python3 -c "$3" z.png' - "$condyle" "$chain" "$png"
  check "segments" 0 '^PNG 32 18 8 2$' sh -c '"$1" render "$2" --segment --size 32x18 -o s.png && python3 -c "$3" s.png' - "$condyle" "$chain" "$png"
  check "a camera by name" 0 '^$' sh -c '"$1" render "$2" --camera side --size 32x18 -o c.png && echo' - "$condyle" "$models/humanoid.xml"
  check "a camera by number" 0 '^$' sh -c '"$1" render "$2" --camera 1 --size 32x18 -o c1.png && echo' - "$condyle" "$models/humanoid.xml"
  check "cameras see differently" 1 'differ' cmp c.png c1.png
  check "a keyframe is drawn" 0 '^$' sh -c '"$1" render "$2" --camera side --key 0 --size 32x18 -o k.png && echo' - "$condyle" "$models/humanoid.xml"
  check "a keyframe looks different" 1 'differ' cmp c.png k.png
  check "a row of a trajectory" 0 '^$' sh -c '"$1" render "$2" --camera side --state run.csv --row 0 --size 32x18 -o r.png && echo' - "$condyle" "$models/humanoid.xml"
  check "the first row is the reference configuration" 0 '^$' sh -c 'cmp c.png r.png && echo'
  check "the last row" 0 '^$' sh -c '"$1" render "$2" --camera side --state run.csv --size 32x18 -o e.png && echo' - "$condyle" "$models/humanoid.xml"
  check "the last row looks different" 1 'differ' cmp c.png e.png
  check "blocks on a terminal" 0 '^10$' sh -c '"$1" render "$2" --terminal blocks --size 40x20 | wc -l' - "$condyle" "$chain"
  check "depths on a terminal" 0 '^10$' sh -c '"$1" render "$2" --depth --terminal blocks --size 40x20 | wc -l' - "$condyle" "$chain"
  check "sixels" 0 '^.P?q?"1;1;40;20#0;2;0;0;0' sh -c '"$1" render "$2" --terminal sixel --size 40x20 | tr -d "\033"' - "$condyle" "$chain"
  check "frames of a film" 0 '^4$' sh -c '"$1" record "$2" --time 0.1 --size 32x18 -o frames/ > where && ls frames | wc -l' - "$condyle" "$chain"
  check "a film in slow motion" 0 '^7$' sh -c '"$1" record "$2" --time 0.1 --speed 0.5 --size 32x18 -o slow/ > where && ls slow | wc -l' - "$condyle" "$chain"
  check "without ffmpeg there are frames" 0 '^there is no program ffmpeg: frames go to film-frames/$' \
    env PATH=/nowhere "$condyle" record "$chain" --time 0 --size 32x18 -o film.mp4
  if command -v ffmpeg > /dev/null; then
    for film in film.mp4 film.gif; do
      check "$film" 0 '^frames=4$' sh -c '"$1" record "$2" --time 0.1 --size 33x17 -o "$3" &&
        echo "frames=$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$3" | tr -d ,)"' - "$condyle" "$chain" $film
    done
  fi
  check "a page of a report has pictures of what collides and of what is seen, of all and of each body" 0 '^3 3 PNG 240 180$' \
    sh -c '"$1" compile "$2" --report shown.html > table && python3 pictures.py shown.html' - "$condyle" "$here/stack.xml"
  check "a picture on the output" 0 '^PNG$' sh -c '"$1" render "$2" --size 8x8 -o - | dd bs=1 skip=1 count=3 2> /dev/null; echo' - "$condyle" "$chain"
  check "a picture on a full disk" 1 '^standard output: No space' sh -c '"$1" render "$2" --size 8x8 -o - > /dev/full' - "$condyle" "$chain"
  one_line "a picture on a full disk"
  mkdir pictures tools
  echo before > pictures/old.png
  check "a picture too large for the disk" 1 '^pictures/old.png: File too large$' \
    sh -c 'trap "" XFSZ; ulimit -f 1; "$1" render "$2" --size 640x480 -o pictures/old.png' - "$condyle" "$models/humanoid.xml"
  check "the old picture is as before" 0 '^before 1$' sh -c 'echo $(cat pictures/old.png) $(ls pictures | wc -l)'
  # an ffmpeg that fails after half a film
  printf '#!/bin/sh\nfor last; do :; done\necho half > "${last#file:}"\ncat > /dev/null\nexit 1\n' > tools/ffmpeg
  chmod +x tools/ffmpeg
  echo before > pictures/old.mp4
  check "a film that breaks off" 1 '^pictures/old.mp4: ffmpeg failed$' \
    env "PATH=$here/tools:$PATH" "$condyle" record "$chain" --time 0 --size 32x18 -o pictures/old.mp4
  check "the old film is as before" 0 '^before 2$' sh -c 'echo $(cat pictures/old.mp4) $(ls pictures | wc -l)'
  mkdir pictures/frames
  echo before > pictures/frames/000000.png
  check "frames too large for the disk" 1 '^pictures/frames/000000.png: File too large$' \
    sh -c 'trap "" XFSZ; ulimit -f 1; "$1" record "$2" --time 0 --size 640x480 -o pictures/frames/' - "$condyle" "$models/humanoid.xml"
  check "the old frames are as before" 0 '^before 1 3$' \
    sh -c 'echo $(cat pictures/frames/000000.png) $(ls pictures/frames | wc -l) $(ls -A pictures | wc -l)'
  check "a picture of another kind" 2 "must end in .png or be -, not 'x.jpg'" "$condyle" render "$chain" -o x.jpg
  check "a state of another model" 2 'run.csv is of another model: it has qpos' "$condyle" render "$chain" --state run.csv -o x.png
  check "no such camera" 2 "no camera 'z': the model has" "$condyle" render "$chain" --camera z
  check "a film that can't be written" 1 'no/such/place' "$condyle" record "$chain" --size 8x8 --time 0 -o no/such/place/
  check "a picture that can't be written" 1 'no/such/place' "$condyle" render "$chain" --size 8x8 -o no/such/place.png
  check "a row too far" 2 'has rows 0 to [0-9]+, not 99999' "$condyle" render "$chain" --state run.csv --row 99999
  check "a table without positions" 2 'has no column qpos0' "$condyle" render "$chain" --state point.csv
  check "a film of an unknown kind" 2 "must end in .mp4, .gif or /, not 'x.avi'" "$condyle" record "$chain" -o x.avi
  check "a picture of no size" 2 "must be WIDTHxHEIGHT" "$condyle" render "$chain" --size 0x3
  check "two kinds of picture" 2 "give --depth or --segment" "$condyle" render "$chain" --depth --segment
  check "a picture over its own model" 2 'would be overwritten' sh -c 'cp "$2" own.png && "$1" render own.png -o own.png' - "$condyle" "$chain"
else
  echo "[  SKIPPED ] 1 test"
  echo "[  REASON  ] nothing can be drawn: $(head -1 output)"
fi

check "lint needs one model" 2 'exactly one file' "$condyle" lint
check "lint takes one model" 2 'exactly one file' "$condyle" lint odd.xml odd.xml
check "lint with an unknown option" 2 "unknown option '--fix'" "$condyle" lint --fix odd.xml
"$condyle" compile odd.xml -o odd.mjb > output 2>&1
check "lint of a binary model names objects" 1 "^odd\.mjb: warning: <joint 'j'>: damping -1" "$condyle" lint odd.mjb
check "lint of a broken binary model" 2 'Truncated model file' "$condyle" lint cut.mjb

# every format that is read to every format that is written, and what came of it
printf '<robot name="r"><link name="base"/>\n<link name="arm"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>\n<joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>\n' > r.urdf
printf '<mujoco><include file="odd.xml"/></mujoco>\n' > outer.xml

# reports: numbers of each body, changes at their body, names that would be markup or obeyed by a terminal
inertial='<inertial><mass value="2"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>'
box='<geometry><box size=".2 .4 .6"/></geometry>'
mkdir -p robot
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv .1 .1 .1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n' > robot/t.obj
cat > robot/r.urdf << END
<robot name="&lt;img src=x&gt;"><link name="&lt;script&gt;alert(1)&lt;/script&gt;">$inertial<visual>$box</visual><collision>$box</collision></link>
<link name="arm&#x9b;31m&quot; onload=&quot;x">$inertial<visual><geometry><sphere radius="0"/></geometry></visual>
<collision><geometry><mesh filename="t.obj"/></geometry></collision></link>
<joint name="j" type="continuous"><parent link="&lt;script&gt;alert(1)&lt;/script&gt;"/><child link="arm&#x9b;31m&quot; onload=&quot;x"/></joint></robot>
END
cat > tags.py << 'END'
import html.parser, sys
names = set()
class Page(html.parser.HTMLParser):
  def handle_starttag(self, tag, attributes):
    names.update([tag], (name for name, value in attributes))
Page().feed(open(sys.argv[1]).read())
print("tags and attributes:", *sorted(names & {"script", "img", "src", "onload", "section", "h2"}))
END
check "a report has sums" 0 "^model '<img src=x>': 2 bodies of 4 kg; 3 geoms, 1 seen, 2 collide at a cost of 28\$" \
  "$condyle" compile robot/r.urdf --report
check "a report has the cost of a body" 0 '^<script>alert\(1\)</script> +2 +4$' "$condyle" compile robot/r.urdf --report
check "a shape to be seen costs nothing" 0 '^ +seen +box +0\.2 x 0\.4 x 0\.6 +- +- +-$' "$condyle" compile robot/r.urdf --report
check "a mesh costs by the vertices of its hull" 0 '^  t +collides +mesh .* 5 +4 +24$' "$condyle" compile robot/r.urdf --report
check "a terminal obeys no name" 0 '^arm\?31m' "$condyle" compile robot/r.urdf --report
check "a report tells pairs that never collide" 0 '^  ! never collides with arm' "$condyle" compile robot/r.urdf --report
check "a change stands below its body" 0 '^2$' \
  sh -c '"$1" compile robot/r.urdf --report | grep -A 3 "^arm" | grep -cE "^  ! (r.urdf:2: <sphere>: has the size 0|never collides)"' - "$condyle"
check "warnings of a report are in its table alone" 0 '^0$' sh -c '"$1" compile robot/r.urdf --report 2>&1 > table | wc -l' - "$condyle"
check "a page of a report without a renderer" 0 'There are no pictures here: [^<]+<' \
  sh -c 'MUJOCO_GL=none "$1" compile robot/r.urdf --report page.html > table && cat page.html' - "$condyle"
check "a page of a report has its own tags alone" 0 '^tags and attributes: h2 section$' python3 tags.py page.html
check "a page whose table nobody reads" 0 '^page$' \
  sh -c '{ MUJOCO_GL=none "$1" compile robot/r.urdf --report unread.html; } | true; cmp page.html unread.html && echo page' - "$condyle"
check "a page behind -o" 0 '^same$' \
  sh -c 'MUJOCO_GL=none "$1" compile robot/r.urdf --report -o other.html > table && cmp page.html other.html && echo same' - "$condyle"
check "a report of MJCF" 0 '^  belly +both +capsule +0\.132 x 0\.132 x 0\.232 +- +- +1$' "$condyle" compile "$models/humanoid.xml" --report
check "a report before its model" 0 '^torso +12\.165 ' "$condyle" compile --report "$models/humanoid.xml"
check "a report of a binary model" 0 '^torso +12\.165 ' "$condyle" compile h.mjb --report
check "a report of a broken model" 2 'dampng' "$condyle" compile bad.xml --report
check "a report that is no page" 2 "its name must end with .html, not 'x.xml'" "$condyle" compile odd.xml --report -o x.xml
check "two pages of a report" 2 'behind --report or -o, not both' "$condyle" compile odd.xml --report a.html -o b.html
check "a page without a report" 2 "^condyle compile: --report writes 'x.html'" "$condyle" compile odd.xml -o x.html
check "a page that can't be written" 1 '^no/such/place.html: No such file' "$condyle" compile odd.xml --report no/such/place.html
ln -sf /dev/full full.html
check "a page on a full disk" 1 '^full.html: No space' env MUJOCO_GL=none "$condyle" compile odd.xml --report full.html
cp odd.xml own.html
check "a page over its own model" 2 'would be overwritten' "$condyle" compile own.html --report own.html

for from in r.urdf outer.xml h.mjb; do
  stem=${from%%.*}
  check "$from becomes a binary model" 0 '^$' sh -c '"$1" compile "$2" -o "$3" && echo' - "$condyle" $from "to_$stem.mjb"
  check "the binary model of $from is read" 0 'degrees of freedom' "$condyle" compile "to_$stem.mjb"
  check "$from becomes text" 0 '^NBODY|^nbody|^BODY 1' sh -c '"$1" compile "$2" -o "$3" && cat "$3"' - "$condyle" $from "to_$stem.txt"
done
for from in r.urdf outer.xml; do
  stem=${from%%.*}
  check "$from becomes MJCF" 0 '^<mujoco' sh -c '"$1" compile "$2" -o "$3" && cat "$3"' - "$condyle" $from "to_$stem.xml"
  "$condyle" compile "to_$stem.xml" -o "again_$stem.mjb" > output 2>&1
  check "the MJCF of $from is the same model" 0 '^same$' sh -c 'cmp "$1" "$2" && echo same' - "to_$stem.mjb" "again_$stem.mjb"
  check "$from becomes MJCF on the standard output" 0 '^same$' \
    sh -c '"$1" compile "$2" -o - | cmp - "$3" && echo same' - "$condyle" $from "to_$stem.xml"
done
check "a binary model can't become MJCF on the standard output" 2 "can't become MJCF" "$condyle" compile h.mjb -o -
check "an output of a binary model that can't be written" 1 'no/such/place.mjb: No such file' \
  "$condyle" compile "$models/chain.xml" -o no/such/place.mjb
mkdir -p folder.xml
check "an output that is a folder" 1 '^folder.xml: Is a directory' "$condyle" compile "$models/chain.xml" -o folder.xml
for format in xml mjb txt; do
  ln -sf /dev/full full.$format
  check "a full disk under .$format is a failure" 1 'ould not write' "$condyle" compile "$models/chain.xml" -o full.$format
done
check "MJCF to a full disk" 1 '^standard output: No space left on device$' \
  sh -c '"$1" compile "$2" -o - > /dev/full' - "$condyle" "$models/chain.xml"
one_line "MJCF to a full disk"
check "a plot to a full disk" 1 '^standard output: No space left on device$' sh -c '"$1" plot run.csv > /dev/full' - "$condyle"
one_line "a plot to a full disk"
check "a full disk under the standard output is a failure" 1 '^standard output: No space' \
  sh -c '"$1" compile "$2" > /dev/full' - "$condyle" "$models/chain.xml"
cp h2.mjb kept.mjb
check "a broken model" 2 'dampng' "$condyle" compile bad.xml -o kept.mjb
check "a broken model leaves the output alone" 0 '^same$' sh -c 'cmp h2.mjb kept.mjb && echo same'
check "compile with an unknown option" 2 "unknown option '-x'" "$condyle" compile -x "$models/chain.xml"
check "-o needs a value" 2 '-o needs a value' "$condyle" compile "$models/chain.xml" -o
# an archive of a model with its files: made, read, and refused where it is broken
mkdir arm && printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n' > arm/part.obj
printf '<mujoco><asset><mesh name="m" file="part.obj"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>' > arm/arm.xml
check "an archive is made" 0 '^PK$' sh -c '"$1" compile arm/arm.xml -o arm.mjz && head -c 2 arm.mjz && echo' - "$condyle"
rm -r arm
check "an archive is compiled" 0 'meshes 1' "$condyle" compile arm.mjz
check "an archive is simulated" 0 'steps' "$condyle" simulate arm.mjz --steps 3
check "an archive is linted" 0 '^linted$' sh -c '"$1" lint arm.mjz && echo linted' - "$condyle"
head -c 300 arm.mjz > cut.mjz
check "a cut archive is refused" 2 "cut.mjz.*cut off" "$condyle" compile cut.mjz
one_line "a cut archive"
printf 'PK\005\006\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' > empty.zip
check "an archive without a model is refused" 2 "no model XML found in archive 'empty.zip'" "$condyle" compile empty.zip
check "no ending" 2 "must end with .xml, .urdf, .mjz, .mjb or .txt, not 'out'" "$condyle" compile "$models/chain.xml" -o out
mkdir -p parts
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' > parts/t.obj
printf '<mujoco><asset><mesh name="t" file="t.obj"/></asset><worldbody><geom type="mesh" mesh="t"/></worldbody></mujoco>\n' > parts/m.xml
check "MJCF beside its files" 0 '^$' sh -c '"$1" compile parts/m.xml -o parts/n.xml && echo' - "$condyle"
check "MJCF away from its files" 1 '^n.xml: its files are looked for beside it: write it to parts/' \
  "$condyle" compile parts/m.xml -o n.xml
check "MJCF away from its files names the one it misses" 1 "t\\.obj" "$condyle" compile parts/m.xml -o n.xml

check "fields of the model" 0 'body_mass' "$condyle" fields model
check "one field" 0 'qfrc_constraint' "$condyle" fields data qfrc_constraint
check "unknown field" 2 'no field' "$condyle" fields data qfrc_gravity

printf '<mujoco><option timestep="0.1"/><worldbody><body><joint name="wild" type="slide" stiffness="-1e6"/><geom size="0.1"/></body></worldbody><keyframe><key qpos="1"/></keyframe></mujoco>\n' > wild.xml
# qpos is 7 of the kite, 4 of the socket, then the slide: after 10 steps of 0.99e9 it is within 1e10, after the 11th beyond
printf '<mujoco><option timestep="0.1"/><worldbody><body><freejoint name="kite"/><geom size="0.1"/></body><body pos="9 0 0"><joint name="socket" type="ball"/><geom size="0.1"/><body><joint name="sled" type="slide"/><geom size="0.1"/></body></body></worldbody><keyframe><key qvel="0 0 0 0 0 0 0 0 0 9.9e9"/></keyframe></mujoco>\n' > far.xml
for steps in 11 12; do
  check "a position that is too far is named by its joint, found after step 11 of $steps" 3 \
    'diverged at time 1\.1 s in position 11 \(sled\)$' "$condyle" simulate far.xml --steps $steps --key 0
done
check "a run that ends before is good" 0 ' in 10 steps$' "$condyle" simulate far.xml --steps 10 --key 0
check "a diverging simulation names time and dof" 3 'diverged at time [0-9.e+-]+ s in dof 0 \(wild\)' \
  "$condyle" simulate wild.xml --time 60 --key 0

"$condyle" simulate "$models/humanoid.xml" --steps 10 --out a.csv > output 2>&1
"$condyle" simulate "$models/humanoid.xml" --steps 10 --out b.csv > output 2>&1
check "the trajectory has a line for every state and a header" 0 '^12 a.csv$' wc -l a.csv
check "every row has time, qpos, qvel and energy" 0 '^58$' awk -F, 'NR == 2 { print NF }' a.csv
check "two runs write the same bytes" 0 '^same$' sh -c 'cmp a.csv b.csv && echo same'

# an arena that is enough to compile, but not to step in contact: how small depends on the build
for bytes in $(seq 500 20 3000); do
  printf '<mujoco><size memory="%s"/><option cone="elliptic"/><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody><keyframe><key qpos="0 0 .09 1 0 0 0"/></keyframe></mujoco>\n' $bytes > narrow.xml
  "$condyle" compile narrow.xml > output 2>&1 && break
done
check "an arena too small for the step is a warning" 0 'arena memory' "$condyle" simulate narrow.xml --steps 2 --key 0
check "no log is left behind" 2 'No such file' ls MUJOCO_LOG.TXT

# outputs that can't be written end the run at once, not after its 1e15 steps
ln -sf /dev/full full.csv
check "a full disk ends a run" 1 '^full.csv: No space' timeout 20 "$condyle" simulate "$models/chain.xml" --steps 1e15 --out full.csv
one_line "a full disk ends a run"
check "a full disk is told by the last line too" 1 '^full.csv: No space' "$condyle" simulate "$models/chain.xml" --steps 1 --out full.csv
check "a closed pipe ends a run" 1 '^/dev/stdout: Broken pipe' \
  sh -c '{ timeout 20 "$1" simulate "$2" --steps 1e15 --out /dev/stdout 2> told; echo $? > code; } | true; cat told; exit "$(cat code)"' - \
  "$condyle" "$models/chain.xml"
check "a warning without its stream is in no file" 3 '^0$' \
  sh -c '"$1" simulate wild.xml --key 0 --out alone.csv 2>&-; code=$?; grep -c unstable alone.csv; exit $code' - "$condyle"
check "results without their stream are a failure" 1 '^standard output: Bad file' sh -c '"$1" compile "$2" >&-' - "$condyle" odd.xml
check "a folder is no trajectory" 1 '^dir.xml: Is a directory' "$condyle" simulate "$models/chain.xml" --steps 1 --out dir.xml

check "derivatives as text" 0 '^next state by state \(A, 54 x 54\)' "$condyle" derive "$models/humanoid.xml"
check "derivatives agree with differences" 0 'width 1e-06 agree within [0-9.]+e-(0[6-9]|1)|width 0.003 agree within (0\.000[0-9]+|[0-9.]+e-0[5-9])' "$condyle" derive "$models/chain.xml" --check
check "derivatives at a keyframe" 0 '^velocity ' "$condyle" derive "$models/humanoid.xml" --key leap
check "derivatives as a table" 0 '^54$' \
  sh -c '"$1" derive "$2" --out d.csv && tail -n +2 d.csv | wc -l | tr -d " "' - "$condyle" "$models/humanoid.xml"
check "derivatives for NumPy" 0 '^32528$' \
  sh -c '"$1" derive "$2" --out d.npy && wc -c < d.npy | tr -d " "' - "$condyle" "$models/humanoid.xml"
check "derivatives to another kind of file" 2 'must end in .csv or .npy' "$condyle" derive "$models/chain.xml" --out d.txt
check "derivatives of no keyframe" 2 "^condyle derive: no keyframe 'nap'" "$condyle" derive "$models/chain.xml" --key nap

# a signal ends a run between two lines; one that was ignored does not end it
for signal in INT:2 TERM:15 HUP:1; do
  number=${signal#*:} signal=${signal%:*}
  rm -f stop.csv*
  env --default-signal=$signal "$condyle" simulate "$models/humanoid.xml" --steps 1e15 --out stop.csv > told 2>&1 &
  run=$!
  # lines gather beside the file until it is complete
  until [ -n "$(find . -name 'stop.csv.*' -size +0)" ] || ! kill -0 $run; do sleep 0.05; done
  kill -$signal $run
  wait $run
  check "SIG$signal is an exit status of its own" $((128 + number)) "^stopped at time [0-9.]+ s by signal $number\$" \
    sh -c 'cat told; exit $1' - $?
  check "SIG$signal leaves whole lines" 0 '^whole$' \
    sh -c 'awk -F, "NF != 58 { exit 1 }" stop.csv && [ "$(wc -l < stop.csv)" -gt 1 ] && [ -z "$(tail -c 1 stop.csv)" ] && echo whole'
done

# a disk that is full leaves the old file, and nothing beside it (a block of 512 or 1024 bytes is all that a file may have)
mkdir disk
printf '<mujoco><worldbody>' > long.xml
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
  printf '<body name="a_body_with_a_long_name_%s"><joint/><geom size=".1" pos="%s 0 0"/></body>' $i $i
done >> long.xml
printf '</worldbody></mujoco>\n' >> long.xml
for call in 'compile long.xml -o disk/old.xml' 'compile long.xml -o disk/old.mjb' 'compile long.xml -o disk/old.txt' \
  'simulate long.xml --steps 100 --out disk/old.csv' 'derive long.xml --out disk/old.csv' 'derive long.xml --out disk/old.npy'; do
  old=${call##* }
  echo before > $old
  check "$call on a full disk" 1 "$old.*: File too large\$" sh -c 'trap "" XFSZ; ulimit -f 1; shift; "$@"' - - "$condyle" $call
  check "$old is as before" 0 '^before 1$' sh -c 'echo $(cat "$1") $(ls disk | wc -l)' - $old
  rm $old
done

# what is read is not written, whatever it is called
cp odd.xml sub/part.xml
printf '<mujoco><include file="sub/part.xml"/></mujoco>\n' > whole.xml
ln -sf whole.xml link.xml
ln -f whole.xml twin.xml
cp h.mjb own.mjb
for out in whole.xml ./whole.xml sub/../whole.xml link.xml twin.xml sub/part.xml; do
  cp $out before
  for command in 'simulate whole.xml --steps 1 --out' 'compile whole.xml -o'; do
    check "$command $out" 2 "^$out: is read for the model and would be overwritten\$" "$condyle" $command $out
    check "$out is as before after $command" 0 '^same$' sh -c 'cmp before "$1" && echo same' - $out
  done
done
check "simulate keeps a binary model" 2 '^own.mjb: is read' "$condyle" simulate own.mjb --steps 1 --out own.mjb
check "compile keeps a binary model" 2 '^./own.mjb: is read' "$condyle" compile own.mjb -o ./own.mjb
check "a mesh of the model is kept" 2 '^parts/t.obj: is read' "$condyle" simulate parts/m.xml --steps 1 --out parts/t.obj
mkfifo pipe
check "a pipe is a model that is read once" 0 ' in 1 steps$' \
  sh -c 'cat whole.xml > pipe & timeout 20 "$1" simulate pipe --steps 1 --out before' - "$condyle"
check "an older output is replaced" 0 ' in 1 steps$' "$condyle" simulate whole.xml --steps 1 --out before

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
