"""Facts for tests: results and tie-breaks of events that others held, paired or computed, as tables of our own.

A cell is opponent, colour and result (`7w1`, `3b=`; `+` and `-` are forfeits), or a bye: U by pairing, H half a point,
Z none. Sources: IA Mario Held, "Exercises in Tie-Breaking" (FIDE TEC, 2024); random events paired by bbpPairings 6
after the FIDE Dutch rules of 2026, with tie-breaks by TieBreakServer 1.9.57 (FIDE TEC); criteria C5 and C9 as in the
tests of bbpPairings 6.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from service.tournaments.formats.crosstable import How, Pairing, StageRound, rank_scores

DUTCH_7 = """
number rating rounds
 1 2579  4w1 5b1 7w= 3b= 6w=
 2 2578  5b0 4w1 6b= 7w= U
 3 2289  6w1 7b0 5w1 1w= 4b1
 4 2260  1b0 2b0 U   6w+ 3w0
 5 2227  2w1 1w0 3b0 U   7b1
 6 2212  3b0 U   2w= 4b- 1b=
 7 2139  U   3w1 1b= 2b= 5w0
"""

DUTCH_7_TIES = """
number rank points BH/C1 BH SB DE WIN WON PS GE
 1     1   3.5  11.5  13.5  9.25     0     2     2  12.0     5
 2     5   3.0  10.5  12.5  7.00     0     2     1   7.5     5
 3     2   3.5  11.5  13.5  8.75     0     3     3  10.0     5
 4     7   2.0  12.0  14.0  4.00     0     2     0   5.0     5
 5     4   3.0  13.0  15.5  8.50     0     3     2   8.0     5
 6     6   2.0  12.0  14.0  5.25     0     1     0   6.0     4
 7     3   3.0  13.0  15.5  9.25     0     2     1  11.5     5
"""

DUTCH_12 = """
number rating rounds
 1 2244  7w1  4b0  9w1  2b0  6b1
 2 2227  8b1  5w1  6b1  1w1  3b1
 3 2212  9w1  6b-  8b1  11b1 2w0
 4 2143  10b1 1w1  5b0  6w1  7b1
 5 2098  11w1 2b0  4w1  7b0  8w1
 6 2074  12b1 3w+  2w0  4b0  1w0
 7 2036  1b0  10w1 12b1 5w1  4w0
 8 2025  2w0  11b1 3w0  9b1  5b0
 9 1995  3b0  12w1 1b0  8w0  10b1
10 1866  4w0  7b0  11w0 12b0 9w0
11 1657  5b0  8w0  10b1 3w0  12w=
12 1615  6w0  9b0  7w0  10w1 11b=
"""

DUTCH_12_TIES = """
number rank points BH/C1 BH SB DE WIN WON PS GE
 1     3   3.0  14.0  16.0  7.00     0     3     3   9.0     5
 2     1   5.0  11.0  13.0 13.00     0     5     5  15.0     5
 3     6   3.0  10.5  12.5  5.50     0     3     3  10.0     4
 4     2   4.0  11.0  11.0  8.00     0     4     4  12.0     5
 5     4   3.0  14.0  15.5  7.50     0     3     3   9.0     5
 6     7   2.0  14.0  15.5  3.50     0     2     1   9.0     5
 7     5   3.0  11.5  11.5  4.50     0     3     3   9.0     5
 8     8   2.0  13.0  14.5  3.50     0     2     2   6.0     5
 9     9   2.0   9.5   9.5  1.50     0     2     2   5.0     5
10    12   0.0  10.5  12.0  0.00     0     0     0   0.0     5
11    10   1.5   9.5   9.5  0.75     0     1     1   3.5     5
12    11   1.5   8.5   8.5  0.75     0     1     1   2.5     5
"""

DUTCH_21 = """
number rating rounds
 1 2582  11b1 8w1  4b0  6w1  2b=  10w0 16w1
 2 2502  12w1 5b1  7w1  10b1 1w=  3b=  11w1
 3 2488  13b1 10w0 20b1 4w1  8b1  2w=  5b0
 4 2477  14w1 21b1 1w1  3b0  10w1 11b0 8w0
 5 2442  15b1 2w0  13b1 8w0  7w1  16b1 3w1
 6 2345  16w= 7b0  9w1  1b0  17w1 12b0 U
 7 2338  17b1 6w1  2b0  11w= 5b0  9w+  10b1
 8 2325  18w1 1b0  12w1 5b1  3w0  21b1 4b1
 9 2284  19b= 11w0 6b0  15w1 18b1 7b-  17w1
10 2273  20w1 3b1  16w1 2w0  4b0  1b1  7w0
11 2273  1w0  9b1  21w1 7b=  14w1 4w1  2b0
12 2245  2b0  15w1 8b0  19w1 16b0 6w1  21w1
13 2218  3w0  18b1 5w0  21b0 15w1 19b1 14w1
14 2198  4b0  17w1 19b= 16w= 11b0 20w1 13b0
15 2190  5w0  12b0 18w1 9b0  13b0 U    19w1
16 2142  6b=  19w1 10b0 14b= 12w1 5w0  1b0
17 2068  7w0  14b0 U    20w= 6b0  18w1 9b0
18 2044  8b0  13w0 15b0 U    9w0  17b0 20b1
19 2027  9w=  16b0 14w= 12b0 U    13w0 15b0
20 1988  10b0 U    3w0  17b= 21w0 14b0 18w0
21 1986  U    4w0  11b0 13w1 20b1 8w0  12b0
"""

DUTCH_21_TIES = """
number rank points BH/C1 BH SB DE WIN WON PS GE
 1     5   4.5  27.0  30.0 19.00     0     4     4  19.5     7
 2     1   6.0  27.0  31.0 26.50     0     5     5  25.5     7
 3     4   4.5  28.0  29.5 17.50     0     4     4  20.0     7
 4     9   4.0  25.5  28.5 14.50     0     4     4  21.0     7
 5     2   5.0  27.0  30.0 19.00     0     5     5  18.0     7
 6    12   3.5  23.0  25.5 11.00     0     3     2  12.5     7
 7     6   4.5  26.5  29.0 15.75     0     4     3  18.0     7
 8     3   5.0  25.0  27.0 18.00     0     5     5  19.0     7
 9    13   3.5  17.5  21.0  8.50     0     3     3  11.5     6
10     8   4.0  26.5  28.0 13.50     0     4     4  20.0     7
11     7   4.5  25.5  28.5 15.75     0     4     4  18.0     7
12    10   4.0  23.5  25.5 11.50     0     4     4  13.0     7
13    11   4.0  20.5  22.5 10.00     0     4     4  12.0     7
14    17   3.0  20.0  21.5  6.50     0     2     2  12.5     7
15    16   3.0  21.5  23.5  7.00     0     3     2   8.0     7
16    15   3.0  24.0  26.0  9.25     0     2     2  14.5     7
17    18   2.5  19.0  20.5  5.25     0     2     1   9.0     7
18    20   2.0  20.0  21.5  3.50     0     2     1   5.0     7
19    19   2.0  20.5  22.5  5.25     0     1     0   9.0     7
20    21   1.5  19.0  20.5  2.75     0     1     0   8.0     7
21    14   3.0  24.5  26.0  8.50     0     3     2  14.0     7
"""

DUTCH_40 = """
number rating rounds
 1 2415  21w1 24b1 19w0 27b0 30w0 39b1 23w0 14b0 37w1
 2 2414  22b1 26w0 35w0 23b0 8w1  14b0 33b1 17w0 31b1
 3 2414  23w+ 28w= 32b1 26b1 35w1 19w= 20b1 9w-  9w=
 4 2413  24b0 40w= 36b= 30w0 13b= 29w1 37b1 38w1 11b1
 5 2403  25w1 27b1 26w= 19b0 22w1 20b0 32w1 34b1 28w0
 6 2400  26b0 21w1 25b0 38w0 40b1 17w1 30b1 23w0 14b0
 7 2393  27w0 25b0 33w1 17b= 31w1 16b0 22w1 32b1 24w1
 8 2390  28b0 22w0 39b0 33w1 2b0  31b1 18w= 21w1 32b0
 9 2390  29w1 31b1 34w= 35b0 26w= 30b1 10w1 3b+  3b=
10 2388  30b1 32w0 38b1 22w= 24b0 21w1 9b0  36w0 16b1
11 2387  31w0 29b= 18w1 39b1 32w0 22b1 26w0 12b1 4w0
12 2384  32b0 23w1 30b1 24w= 28b0 37w1 25b0 11w0 22b0
13 2383  33w1 34b0 27w0 37b0 4w=  23b0 31w= 29b1 30w=
14 2383  34b0 30w0 23b0 15w1 18b1 2w1  38b0 1w1  6w1
15 2382  35w= 20b0 29w0 14b0 33b- 18w0 40b0 33w0 21b1
16 2382  36b= 38w1 H    32w= 34b0 7w1  35b0 39b0 10w0
17 2375  37w- 33b1 31w= 7w=  36b0 6b0  29w1 2b1  38w1
18 2374  38b0 39w= 11b0 36w0 14w0 15b1 8b=  40w1 33b0
19 2369  39w1 37b1 1b1  5w1  20w1 3b=  27w1 28b1 26w1
20 2369  40b= 15w1 28b1 34w1 19b0 5w1  3w0  25b= 23b1
21 2366  1b0  6b0  U    40w1 37w= 10b0 39w0 8b0  15w0
22 2364  2w0  8b1  37w1 10b= 5b0  11w0 7b0  30w1 12w1
23 2359  3b-  12b0 14w1 2w1  38b0 13w1 1b1  6b1  20w0
24 2356  4w1  1w0  40b1 12b= 10w1 27b0 36w1 35w0 7b0
25 2348  5b0  7w1  6w1  29b1 27w0 36b= 12w1 20w= 35b1
26 2345  6w1  2b1  5b=  3w0  9b=  38w1 11b1 27w1 19b0
27 2343  7b1  5w0  13b1 1w1  25b1 24w1 19b0 26b0 34w=
28 2342  8w1  3b=  20w0 31b1 12w1 35b1 34b+ 19w0 5b1
29 2341  9b0  11w= 15b1 25w0 39w0 4b0  17b0 13w0 40b0
30 2338  10w0 14b1 12w0 4b1  1b1  9w0  6w0  22b0 13b=
31 2331  11b1 9w0  17b= 28w0 7b0  8w0  13b= 37w+ 2w0
32 2330  12w1 10b1 3w0  16b= 11b1 34w0 5b0  7w0  8w1
33 2327  13b0 17w0 7b0  8b0  15w+ 40w1 2w0  15b1 18w1
34 2323  14w1 13w1 9b=  20b0 16w1 32b1 28w- 5w0  27b=
35 2305  15b= 36w1 2b1  9w1  3b0  28w0 16w1 24b1 25w0
36 2303  16w= 35b0 4w=  18b1 17w1 25w= 24b0 10b1 39w0
37 2300  17b+ 19w0 22b0 13w1 21b= 12b0 4w0  31b- 1b0
38 2300  18w1 16b0 10w0 6b1  23w1 26b0 14w1 4b0  17b0
39 2299  19b0 18b= 8w1  11w0 29b1 1w0  21b1 16w1 36b1
40 2298  20w= 4b=  24w0 21b0 6w0  33b0 15w1 18b0 29w1
"""

DUTCH_40_TIES = """
number rank points BH/C1 BH SB DE WIN WON PS GE
 1    24   4.0  40.0  42.5 15.00     0     4     4  22.0     9
 2    26   4.0  38.5  41.5 15.00     0     4     4  18.0     9
 3     2   6.5  48.5  55.0 37.75     0     5     4  36.5     8
 4    13   5.5  30.0  31.5 18.00     0     4     4  20.0     9
 5     8   5.5  48.0  52.5 28.50     0     5     5  30.5     9
 6    27   4.0  37.5  40.0 14.00     0     4     4  20.0     9
 7    11   5.5  37.5  40.5 23.00     0     5     5  21.0     9
 8    32   3.5  35.0  37.5 11.00     0     3     3  13.5     9
 9     4   6.5  40.5  42.0 27.75     0     5     4  32.5     9
10    21   4.5  35.5  38.0 15.75     0     4     4  24.0     9
11    22   4.5  35.5  37.0 17.25     0     4     4  23.0     9
12    30   3.5  39.0  41.5 13.25     0     3     3  22.0     9
13    33   3.5  34.0  35.5 11.50     0     2     2  15.5     9
14    16   5.0  32.5  34.0 16.50     0     5     5  18.0     9
15    40   1.5  30.5  32.0  5.25     0     1     1   5.5     8
16    29   3.5  39.0  42.5 15.75     0     2     2  23.0     8
17    17   5.0  30.5  33.0 17.75     0     4     4  20.5     8
18    35   3.0  34.0  35.5  9.00     0     2     2  11.5     9
19     1   8.5  45.5  48.0 44.75     0     8     8  43.0     9
20     5   6.0  46.0  47.5 28.00     0     5     5  31.5     9
21    38   2.5  29.5  31.0  6.75     0     2     1  15.5     9
22    23   4.5  34.5  37.0 15.25     0     4     4  21.0     9
23    15   5.0  34.0  39.0 20.50     0     5     5  22.0     8
24    20   4.5  38.5  41.5 19.25     0     4     4  27.0     9
25     7   6.0  40.0  41.5 25.25     0     5     5  28.0     9
26     6   6.0  45.0  49.0 28.00     0     5     5  32.0     9
27     9   5.5  45.0  48.5 26.00     0     5     5  31.5     9
28     3   6.5  44.0  47.0 29.25     0     6     5  32.0     9
29    39   1.5  39.5  41.0  3.75     0     1     1  11.0     9
30    31   3.5  37.5  41.0 16.25     0     3     3  19.5     9
31    34   3.0  39.0  41.5 11.25     0     2     1  16.0     9
32    19   4.5  38.5  42.0 17.75     0     4     4  26.0     9
33    28   4.0  29.0  30.5  9.00     0     4     3  12.0     9
34    14   5.0  40.0  45.0 22.50     0     4     4  30.0     8
35    10   5.5  42.0  43.5 23.75     0     5     5  30.5     9
36    18   4.5  40.0  43.0 20.00     0     3     3  23.0     9
37    37   2.5  34.5  37.0  7.25     0     2     1  17.5     8
38    25   4.0  38.5  41.5 17.00     0     4     4  23.0     9
39    12   5.5  34.0  35.5 17.00     0     5     5  22.0     9
40    36   3.0  31.0  32.5  8.75     0     2     2  12.5     9
"""

DUTCH_C5 = """
number rating rounds
 1 2720  4w1 2b1
 2 2701  5b1 1w0
 3 2697  6w1 4b1
 4 2689  1b0 3w0 Z
 5 2673  2w0 6b1
 6 2664  3b0 5w0
"""

DUTCH_C9 = """
number rating rounds
 1 2720  3w1
 2 2701  4b1
 3 2697  1b0
 4 2689  2w0
 5 2673  Z
"""

HELD_SWISS = """
number rating rounds
 1 2200  9w1  13b= 2w=  15b1 4w=
 2 2150  10b1 7w1  1b=  16w1 3b=
 3 2100  11w= 6b1  8w1  4b=  2w=
 4 2050  12b1 H    13w1 3w=  1b=
 5 2000  13w0 15b0 11w1 7b=  10w1
 6 1950  14b0 3w0  U    10w1 8b1
 7 1900  15w1 2b0  16b0 5w=  11b0
 8 1850  16b= 14w1 3b0  13w1 6w0
 9 1800  1b0  10w0 H    11b- U
10 1750  2w0  9b1  15w0 6b0  5b0
11 1700  3b=  16w0 5b0  9w+  7w1
12 1650  4w0  U    14w+ Z    Z
13 1600  5b1  1w=  4b0  8b0  14w0
14 1550  6w1  8b0  12b- Z    13b1
15 1500  7b0  5w1  10b1 1w0  16b0
16 1450  8w=  11b1 7w1  2b0  15w1
"""

HELD_SWISS_2024 = """
number rank points BH BH/C1 SB SB/C1 WIN WON GE PS PS/C1
 1     4   3.5  12.5  11.0  8.00  7.25     2     2     5  11.0  10.0
 2     1   4.0  13.0  12.0  9.50  8.50     3     3     5  13.0  12.0
 3     2   3.5  15.5  13.0 10.50  9.25     2     2     5  11.0  10.5
 4     3   3.5  15.0  11.5  9.75  8.00     2     2     4  11.5  10.5
 5     9   2.5   8.5   7.5  4.25  3.25     2     2     5   5.0   5.0
 6     6   3.0  12.0  11.0  6.50  5.50     3     2     5   6.0   6.0
 7    13   1.5  14.5  12.5  3.25  1.25     1     1     5   6.0   5.0
 8     8   2.5  13.5  12.0  5.25  3.75     2     2     5   8.5   8.0
 9    15   1.5   9.0   7.5  2.25  2.25     1     0     3   2.5   2.5
10    16   1.0  13.0  11.5  1.50  0.00     1     1     5   4.0   4.0
11     7   2.5  13.5  12.0  5.75  4.25     2     1     5   5.5   5.0
12    11   2.0  11.5   9.5  4.00  4.00     2     0     3   7.0   7.0
13    14   1.5  14.0  12.0  4.25  4.25     1     1     5   7.0   6.0
14    12   2.0  11.0   9.0  4.50  3.00     2     2     3   6.0   5.0
15    10   2.0  12.0  11.0  3.50  2.50     2     2     5   7.0   7.0
16     5   3.5  12.5  11.0  7.25  5.75     3     3     5  10.5  10.0
"""

HELD_SWISS_2026 = """
number rank points BH BH/C1 SB SB/C1 WIN WON GE PS PS/C1
 1     4   3.5  12.5  11.0  8.00  7.25     2     2     5  11.0  10.0
 2     1   4.0  13.0  12.0  9.50  8.50     3     3     5  13.0  12.0
 3     2   3.5  15.5  13.0 10.50  9.25     2     2     5  11.0  10.5
 4     3   3.5  14.0  11.5  9.25  7.75     2     2     4  11.5  10.5
 5     9   2.5   8.5   7.5  4.25  3.25     2     2     5   5.0   5.0
 6     6   3.0  11.5  10.5  6.00  5.00     3     2     5   6.0   6.0
 7    13   1.5  14.5  12.5  3.25  1.25     1     1     5   6.0   5.0
 8     7   2.5  13.5  12.0  5.25  3.75     2     2     5   8.5   8.0
 9    15   1.5   9.0   7.5  2.25  2.25     1     0     3   2.5   2.5
10    16   1.0  13.0  11.5  1.50  0.00     1     1     5   4.0   4.0
11     8   2.5  12.5  11.0  4.75  3.25     2     1     5   5.5   5.0
12    11   2.0  11.5   9.5  4.00  4.00     2     0     3   7.0   7.0
13    14   1.5  14.0  12.0  4.25  4.25     1     1     5   7.0   6.0
14    12   2.0  11.0   9.0  4.50  3.00     2     2     3   6.0   5.0
15    10   2.0  12.0  11.0  3.50  2.50     2     2     5   7.0   7.0
16     5   3.5  12.5  11.0  7.25  5.75     3     3     5  10.5  10.0
"""

HELD_ROUND_ROBIN = """
number rating rounds
 1 2200  5w= 2w1 3b1 4w0 6b1
 2 2150  6w1 1b0 5w1 3w= 4b1
 3 2100  4w1 6b1 1w0 2b= 5w1
 4 2050  3b0 5b0 6w= 1b1 2w0
 5 1950  1b= 4w1 2b0 6w- 3b0
 6 2000  2b0 3w0 4b= 5b+ 1w0
"""

HELD_ROUND_ROBIN_TIES = """
number rank points SB KS WIN direct-rank
 1     1   3.5  9.25   2.0     3     1
 2     2   3.5  6.25   0.5     3     2
 3     2   3.5  6.25   0.5     3     2
 4     4   1.5  4.25   1.0     1     6
 5     5   1.5  3.25   0.5     1     5
 6     6   1.5  2.25   0.0     1     4
"""


@dataclass(frozen=True)
class Event:
    """An event as our formats see it: ratings by number, and its rounds."""

    ratings: dict[int, int]
    rounds: tuple[StageRound, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """All entrants."""
        return tuple(self.ratings)


_CELL = re.compile(r"([0-9]+)([wb])([01=+-])")
_ENDS = {
    ("1", "0"): rank_scores([1, 0]),
    ("0", "1"): rank_scores([0, 1]),
    ("=", "="): rank_scores([0, 0]),
    ("+", "-"): rank_scores([1, 0], [How.PLAYED, How.FORFEIT]),
    ("-", "+"): rank_scores([0, 1], [How.FORFEIT, How.PLAYED]),
    ("-", "-"): rank_scores([0, 0], [How.FORFEIT, How.FORFEIT]),
}


def read_event(text: str) -> Event:
    """The event of a table; where a player's row ends sooner, the round is not paired yet."""
    rows = [line.split() for line in text.strip().splitlines()[1:]]
    cells = {int(number): row for number, _, *row in rows}
    rounds = []
    for at in range(max(map(len, cells.values()))):
        pairings, half = [], set()
        for number, row in cells.items():
            cell = row[at] if at < len(row) else "Z"
            found = _CELL.fullmatch(cell)
            if cell == "U":
                pairings.append(Pairing((number,)))
            elif cell == "H":
                half.add(number)
            elif found is not None and found[2] == "w":
                other = int(found[1])
                pairings.append(Pairing((number, other), _ENDS[found[3], cells[other][at][-1]]))
        rounds.append(StageRound(at + 1, tuple(pairings), frozenset(half)))
    return Event({int(number): int(rating) for number, rating, *_ in rows}, tuple(rounds))


def read_values(text: str) -> dict[int, dict[str, str]]:
    """The values of a table of tie-breaks by number and column."""
    head, *rows = [line.split() for line in text.strip().splitlines()]
    return {int(row[0]): dict(zip(head[1:], row[1:], strict=True)) for row in rows}
