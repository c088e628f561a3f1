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

write_save 1000000 >long.shard
status=0
(ulimit -f 100 && "$shard" run long.shard) >output 2>errors || status=$?
expect "a file that becomes too long" 3 "b.npy cannot be written: File too large"

for left in b.npy*; do
  [ -e "$left" ] && echo "$left is left" && failed=1
done
exit $failed
