#!/bin/sh
# scripts/wheels.sh where there is no Python for it, and scripts/dist.sh in a small repository, without building anything: what is
# refused, what the archive of sources holds, and that the same commit gives the same bytes.     dist_test.sh SOURCE_DIR
set -u
source=$(cd "$1" && pwd)
command -v git > /dev/null || { echo "[  SKIPPED ] 1 test"; echo "[  REASON  ] scripts of releases: no git"; exit 0; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
passed=0
failed=0

# check NAME STATUS PATTERN COMMAND...: ends with STATUS, and what it says matches PATTERN
check() {
  name=$1 status=$2 pattern=$3
  shift 3
  (cd "$here/tree" && "$@") > "$here/output" 2>&1
  got=$?
  if [ $got -eq "$status" ] && grep -Eq -- "$pattern" "$here/output"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name: status $got (expected $status), no '$pattern' in:"
    cat "$here/output"
  fi
}

# a repository with these scripts, a page that is "made", and tools that make an sdist of nothing
mkdir -p "$here/tree/scripts" "$here/tree/web" "$here/tree/build/dist_tools/bin"
cp "$source/scripts/wheels.sh" "$source/scripts/dist.sh" "$here/tree/scripts/"
printf '#!/bin/sh\nmkdir -p build/web && echo page > build/web/viewer.html\n' > "$here/tree/scripts/web.sh"
cat > "$here/tree/build/dist_tools/bin/python" << 'END'
#!/bin/sh
[ "$1" != -c ] || echo sdist > "$3/condyle-1.2.3.tar.gz"
END
chmod +x "$here/tree/scripts/web.sh" "$here/tree/build/dist_tools/bin/python"
echo 'project(condyle VERSION 1.2.3 LANGUAGES C)' > "$here/tree/CMakeLists.txt"
echo worker > "$here/tree/web/worker.ts"
printf '/build/\n/dist/\n' > "$here/tree/.gitignore"
git_here() {
  git -C "$here/tree" -c user.name=name -c user.email=name@example.org -c init.defaultBranch=main -c commit.gpgsign=false "$@" > "$here/git" 2>&1 ||
    cat "$here/git"
}
git_here init
git_here add .
git_here commit -m first

check "no Python" 1 'no CPython from 3.10 on with its headers' env PATH=/nowhere:"$(dirname "$(command -v mkdir)")" PYENV_ROOT=/nowhere \
  scripts/wheels.sh /nowhere/python3
printf '#!/bin/sh\necho\n' > "$here/other"
chmod +x "$here/other"
check "another Python" 1 "$here/other is no CPython from 3.10 on with its headers" scripts/wheels.sh "$here/other"

check "a release" 0 'SHA256SUMS' scripts/dist.sh --no-wheels
check "sums" 0 'condyle-1.2.3-source.tar.gz: OK' sh -c 'cd dist && sha256sum -c SHA256SUMS'
check "the page in the archive" 0 '^condyle-1.2.3/web/viewer.html$' tar -tf dist/condyle-1.2.3-source.tar.gz
check "sources in the archive" 0 '^condyle-1.2.3/web/worker.ts$' tar -tf dist/condyle-1.2.3-source.tar.gz
check "nothing else" 1 '^0$' sh -c 'tar -tf dist/condyle-1.2.3-source.tar.gz | grep -c build'
cp "$here/tree/dist/condyle-1.2.3-source.tar.gz" "$here/before"
touch "$here/tree/web/worker.ts"
check "the same again" 0 'SHA256SUMS' scripts/dist.sh --no-wheels
check "the same bytes" 0 '^equal$' sh -c 'cmp "$0" dist/condyle-1.2.3-source.tar.gz && echo equal' "$here/before"
check "wheels for an interpreter that is named" 1 "/nowhere/python3 is no CPython" scripts/dist.sh /nowhere/python3
echo changed >> "$here/tree/web/worker.ts"
check "changes that are not committed" 1 'in no commit.*' scripts/dist.sh --no-wheels
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
