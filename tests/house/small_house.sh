#!/bin/sh
# Builds a small house in the folder $1 and lets tests_of.py and mutants.py look at its one file: what they
# print says whether they find the test that runs the file, and the mistake that no test sees.
house=$PWD/tests/house
cd "$1" || exit 1
b=build/release
mkdir -p pbm/base pbm/program tests/pbm/base tests/pbm/commands tests/util tests/data/talks $b/pbm/base $b/pbm/program \
	$b/tests/pbm/base $b/tests/pbm/commands $b/tests/util
cat >pbm/base/sums.c <<'END'
int sums_most(int a, int b);
int sums_most(int a, int b)
{
	if (a > b)
		return a;
	return b;
}
END
echo 'int sums_most(int, int); int main(void) { return sums_most(2, 1) != 2; }' >tests/pbm/base/test_sums.c
echo 'int main(void) { return 0; }' >tests/pbm/base/test_other.c
echo 'int main(void) { return 0; }' >pbm/program/main.c
cp pbm/program/main.c tests/util/warm.c
echo 'int program_unused;' >tests/util/program.c
echo 'int parse_unused;' >tests/util/parse.c
touch tests/data/talks/quiet.txt
printf '#!/bin/sh\nexit 0\n' >$b/tests/pbm/commands/test_talks
chmod +x $b/tests/pbm/commands/test_talks
for c in */*/*.c tests/*/*/test_*.c; do
	cc -c -o $b/"${c%.c}".o "$c" || exit 1
done
ar rc $b/libbase.a $b/pbm/base/sums.o
for t in sums other; do
	cc -o $b/tests/pbm/base/test_$t $b/tests/pbm/base/test_$t.o $b/libbase.a || exit 1
done
export COMPILE=cc LINK=cc LIBRARIES=$b/libbase.a APART= HELPERS= TAIL= LONG= SLOW= FILES=pbm/base/sums.c
python3 "$house"/tests_of.py
for SEED in 1 2; do
	SEED=$SEED N=1 python3 "$house"/mutants.py
done
