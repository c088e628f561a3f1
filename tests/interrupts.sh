# Ctrl-C while products are computed ends the run with a report, at whatever moment and on whatever thread it comes:
#   sh interrupts.sh <shard>
# oneDNN's kernels have the stack pointer point into the heap at times. Handlers that ran on such a stack overwrote it, and most
# runs ended in "double free or corruption" (exit status 134 or 139).
shard=$1
folder=$(mktemp -d) || exit 1
trap 'rm -r "$folder"' EXIT
cd "$folder" || exit 1

printf 'I = 2048, K = 2048, J = 2048\nfor i in 0..64 { D[I, J] = W[I, K] · V[K, J] }\n' >products.shard
failed=0
for threads in 1 2 3; do
  for tenths in 2 3 4 5; do
    status=0
    timeout --foreground --preserve-status --signal INT 0.$tenths \
      "$shard" run --max-flops 1e13 --threads $threads products.shard >output 2>errors || status=$?
    if [ "$status" -ne 3 ] || ! grep -q "stopped before the end" output; then
      echo "$threads threads, after 0.$tenths s: exit status $status, expected 3"
      cat errors
      failed=1
    fi
  done
done
exit $failed
