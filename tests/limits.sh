# What runs where the system gives little ends with a message and an exit status, and leaves no parts of files:
#   sh limits.sh <shard>
# Runs of load and save were aborted where memory ran out (exit status 134), and killed where a file became too long (153).
shard=$1
folder=$(mktemp -d) || exit 1
trap 'rm -r "$folder"' EXIT
cd "$folder" || exit 1

failed=0
# expect NAME STATUS TEXT: what the last run, whose status is $status, ended with and wrote to standard error.
expect() {
  if [ "$status" -ne "$2" ] || { [ -n "$3" ] && ! grep -q "$3" errors; }; then
    echo "$1: exit status $status, expected $2 with: $3"
    cat errors
    failed=1
  fi
}

# write_save LENGTH: a script that saves so many bytes.
write_save() {
  printf 'mesh {X: 2}\nI = %s\nA: int8[I_X]\nB[I_X] = A + A\nsave B "b.npy"\n' "$1"
}

write_save 268435456 >large.shard
status=0
(ulimit -v 1500000 && "$shard" run --memory 9GB large.shard) >output 2>errors || status=$?
expect "save without memory" 3 "no memory for the 268.4 MB of .B."

# 268 MB of which the file system holds none.
header="{'descr': '|i1', 'fortran_order': False, 'shape': (268435456,), }"
{
  printf '\223NUMPY\001\000\166\000'
  printf '%-117s\n' "$header"
} >a.npy
truncate -s 268435584 a.npy
cat >load.shard <<'END'
mesh {X: 2}
I = 268435456
A: int8[I_X]
A = load("a.npy")
B[I_X] = A + A
END
for command in "run --memory 9GB" "run --memory 9GB --json" "run --memory 9GB -"; do
  status=0
  # shellcheck disable=SC2086
  (ulimit -v 1500000 && "$shard" $command load.shard <load.shard) >output 2>errors || status=$?
  grep "no memory" output >>errors
  expect "load without memory, $command" 3 "no memory for the 2.147 GB that .A. loads"
done
for command in check "run --estimate"; do
  status=0
  # shellcheck disable=SC2086
  (ulimit -v 200000 && "$shard" $command load.shard) >output 2>errors || status=$?
  expect "nothing is loaded, $command" 0 ""
  [ -s errors ] && cat errors && failed=1
done

# Where no step and no file is to blame.
{
  printf 'mesh {X: 2}\nI = 4\nA: int8[I_X]\n'
  i=0
  while [ $i -lt 40000 ]; do
    echo "B$i[I_X] = A + $i"
    i=$((i + 1))
  done
} >many.shard
for command in run check; do
  status=0
  (ulimit -v 200000 && "$shard" $command many.shard) >output 2>errors || status=$?
  expect "many statements, $command" 3 "there is not enough memory to go on"
done

# Reductions took 16 bytes and more for each element of their result, a top as much for each of its operand's rows.
cat >reduction.shard <<'END'
mesh {X: 2}
I = 40000000, J = 2
A: int8[I_X, J]
B[I_X] = max_J(A)
END
cat >top.shard <<'END'
mesh {X: 2}
I = 2, J = 16000000, K = 1
A: int8[I_X, J]
B[I_X, K] = top_{J,K}(A)
END
for name in reduction top; do
  status=0
  (ulimit -v 400000 && "$shard" run --threads 2 --memory 9GB $name.shard) >output 2>errors || status=$?
  expect "$name takes little besides" 0 ""
done

# Each module that used another one took its part of the stack: a chain of thousands ended the process.
mkdir chain
i=0
while [ $i -lt 3000 ]; do
  echo "use m$((i + 1))" >chain/m$i.shard
  i=$((i + 1))
done
echo "x = 1" >chain/m$i.shard
status=0
"$shard" check chain/m0.shard >output 2>errors || status=$?
expect "a chain of modules" 1 "deeper than 1,024 levels .TooDeep."

# Reading takes some of the stack, running what was read takes more: half of what threads have by default suffices.
nest() {
  i=0
  while [ $i -lt "$2" ]; do
    printf '%s' "$1"
    i=$((i + 1))
  done
}
for block in "for i in 0..1 {" "if n > 0 {" "t = cost { "; do
  {
    printf 'fn f(n) { '
    nest "$block" 120
    printf ' f(n - 1) '
    nest "}" 120
    printf ' }\nf(60)\n'
  } >deep.shard
  status=0
  (ulimit -s 4096 && "$shard" run deep.shard) >output 2>errors || status=$?
  expect "calls times $block" 1 "TooMuchRecursion"
done

write_save 1000000 >long.shard
status=0
(ulimit -f 100 && "$shard" run long.shard) >output 2>errors || status=$?
expect "a file that becomes too long" 3 "b.npy cannot be written: File too large"

for left in b.npy .shard*; do
  [ -e "$left" ] && echo "$left is left" && failed=1
done

# A report of which a part went out was no mistake of the usage but one of the script; with a closed output the report went
# into the file that was opened next.
write_save 8 >small.shard
for command in "run --json" "run" "fmt" "help"; do
  file=small.shard
  [ "$command" = help ] && file=cost
  status=0
  # shellcheck disable=SC2086
  "$shard" $command $file >/dev/full 2>errors || status=$?
  expect "no room for the output, $command" 2 "the output cannot be written"
  status=0
  # shellcheck disable=SC2086
  "$shard" $command $file >&- 2>errors || status=$?
  expect "a closed output, $command" 2 "the output cannot be written"
done
[ "$(wc -c <b.npy)" -eq 136 ] || { echo "b.npy has more than its array"; failed=1; }

# A file of the command that --trace names, and what cannot be renamed over.
printf 'hardware TPUv5e 2x1\nmesh {X: 2}\nI = 8\nB[I_X] = A[I_X] + 1\nsave B "b.npy"\n' >traced.shard
cp traced.shard before
ln -s traced.shard link
ln traced.shard hard
mkdir folder
# refused FILE TEXT
refused() {
  status=0
  "$shard" run --trace "$1" traced.shard >output 2>errors || status=$?
  expect "--trace $1" 2 "$2"
  cmp -s traced.shard before || { echo "--trace $1 wrote over the script"; failed=1; }
}
for file in traced.shard ./folder/../traced.shard link hard output errors; do
  refused $file "would be written over"
done
refused folder "it is no regular file"
refused folder/none/t.json "No such file"
status=0
"$shard" run --trace b.npy traced.shard >output 2>errors || status=$?
expect "--trace and save to one file" 1 "is the file of --trace"
status=0
"$shard" run - <traced.shard >output 2>errors || status=$?
expect "a script on standard input" 0 ""
sed 's/b\.npy/stdin.shard/' traced.shard >stdin.shard
"$shard" run - <stdin.shard >output 2>errors && status=0 || status=$?
expect "save over standard input" 1 "is a script of this command"
"$shard" run traced.shard traced.shard >output 2>errors && status=0 || status=$?
expect "two scripts save to one file" 1 "an earlier script of this command wrote"
# The output itself takes a trace in its place, before the report.
"$shard" run --trace /dev/stdout traced.shard >output 2>errors || { echo "a trace to the output"; failed=1; }
[ "$(head -c 1 output)" = "{" ] && grep -q "total per device" output || { echo "no trace and report"; failed=1; }
"$shard" run --trace /dev/null traced.shard >output 2>errors || { echo "a trace to nowhere"; failed=1; }
[ -c /dev/null ] || { echo "/dev/null is gone"; failed=1; }

for left in .shard*; do
  [ -e "$left" ] && echo "$left is left" && failed=1
done
exit $failed
