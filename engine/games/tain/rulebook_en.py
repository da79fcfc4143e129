"""The whole rules of Táin in English."""

from __future__ import annotations

from engine.rulebook import read_rulebook

RULEBOOK = read_rulebook(
    """\
# Overview
Two to four clans steal each other’s cattle and jewels. In each of up to eight rounds, everybody puts tokens face down
at their own gates, at those of their rivals and in the foreign kingdom; then everything is turned up and the raids are
settled. The richest clan wins. There is no luck in this game: the only thing you don’t know is what the others have put
down.

# The boards
Each clan has a pasture, where its cattle graze, with gates 1, 2 and 3, and a house for jewels and prisoners, with gates
4 and 5. Each gate has two places: the guard’s inside, for a token of the clan itself, and the scout’s outside, for a
token of a rival. The foreign kingdom has two places and cattle of its own. A place holds one token.

| Players | Cattle of each clan | Jewels of each clan | Cattle of the kingdom |
| 2 | 5 | 3 | 15 |
| 3 | 5 | 3 | 10 |
| 4 | 5 | 3 | 5 |

# The tokens
| Letter | Token | How many | Guards a gate | Scouts a rival’s gate | Kingdom |
| C | chief | 1 | yes | yes | yes |
| W | warrior | 2 | yes | yes | yes |
| B | boy | 6 | yes | yes | no |
| D | chief’s daughter | 1 | yes | no | no |
| X | bluff | 8 | yes | yes | yes |

A clan has 18 tokens, and each of them is always in one of four states: unused, behind the screen, where only the owner
sees what it is; placed, face down on a board; used, face down before the screen; or a prisoner. Everybody may know how
many tokens are used and unused. The two are never mixed.

! Each board lists as “hidden” the tokens that a clan has face down or behind its screen. Everybody could work this out
from what was turned up.

# Reconnaissance
Starting with the active player and going clockwise, everybody places one unused token face down or passes. A token may
go:

- on one of your own guard places: `put W 3`;
- on a scout place of a rival, whose board has a letter: `put B b4`;
- in the kingdom, `put C kingdom`, if none of your tokens is there yet, not even a bluff.

The guard and the scout of a gate may be placed in any order, and either place may stay empty. You may send several
tokens against the same board. Whoever has passed, with `pass`, is out until the next round; the last one still in may
keep placing. If you have no unused token, or there is no free place for one, you are out too.

> Three clans: a passes, then b passes, and c still places three tokens before it passes. That is allowed.

! When both kingdom places and all scout places are taken, all who are still in name their last guards at the same time:
`guards D4 X5`, or `guards none`. With the option `speedup off` they are still placed one by one.

# The raids: the kingdom
All placed tokens are turned up at once. Bluffs go back, face down, to the used tokens of their owners. Then the kingdom
is settled first, where only chiefs and warriors are left:

| Left in the kingdom | Result, as long as there are cattle |
| one chief or one warrior | its owner takes 1 cattle |
| a chief and a warrior | only the chief’s owner takes 1 cattle |
| two chiefs or two warriors | each of them takes 1 cattle |

# The raids: scout against guard
Then come the boards, starting with the active player’s and going clockwise. At each gate with a scout:

| Scout | no guard, or a bluff | chief | warrior | boy | daughter |
| chief | success | fails | success | success | fails |
| warrior | success | fails | fails | success | captures her |
| boy | success | fails | is captured | fails | fails |
| bluff | nothing | nothing | nothing | nothing | nothing |

- Success at gates 1 to 3: the raider takes 1 cattle of that pasture.
- Success at gates 4 and 5: the raider frees one of their own prisoners in that house, if there is one, and otherwise
  takes 1 jewel.
- A boy who scouts against a warrior is captured by the owner of the warrior.
- A daughter who guards against a warrior is captured by the owner of the warrior, who gains nothing else there.
- There are no other captures. A boy on guard who is beaten is not captured.

> Two clans with 5 cattle and 3 jewels each, which are worth 19 points. A warrior of a meets the daughter of b, and
nothing else happens: a has 24 points for the prisoner, b still has 19. Had a boy of a met a warrior of b instead, the
prisoner would be b’s: 19 against 20.

Winnings lie beside the board until the round is over: nobody can take them back or free them in this round. If a
pasture or a house has too little for all who succeeded there, the active player takes first, then the others clockwise.

> The clan a has 1 cattle left. The boys of b and c succeed at its gates 1 and 2, and c is the active player: c takes
the cattle, b takes nothing.

! A player with several successes at one board takes for all of them before the next player does. You must take what you
have won.

# Prisoners
A prisoner stays in the captor’s house until its owner succeeds at a gate of that house. As long as one of your own is
held there, you free it and take no jewel; with several you choose which, `free D b`. Two successes at a house that
holds one of yours free it and take one jewel. A token that is freed goes to the used tokens of its owner. You can
neither free nor take the prisoners of others.

> The clan b holds a boy of a. The raiders of a succeed at b4 and b5: the boy goes home, and a takes 1 jewel.

> A boy of a is captured at b1 while the chief of a succeeds at b4. The boy was not in the house before this round, so a
takes a jewel; the boy can be freed from the next round on.

# The end of a round
- All other tokens on the boards, guards too, go face down to the used tokens of their owners.
- Cattle that were won go to the pastures, captured tokens and jewels to the houses.
- If a clan now has 11 cattle or more, or if this was round 8, the match is over.
- Whoever has no unused token left takes all used ones back behind the screen. If you have even one left, you don’t, and
  have only that one in the next round.
- The next round begins.

! The marker of the active player passes clockwise after each round; the option `marker fixed` leaves it where it is.
The player who has it first is drawn at random, unless the option `first` names a seat. In tournaments the
first player has it first.

# Scoring
| What you own | Points |
| each head of cattle | 2 |
| each jewel | 3 |
| each boy you hold prisoner | 1 |
| each daughter you hold prisoner | 5 |
| 11 cattle or more | 3 once |

The most points win, not the most cattle. Ties are broken by more cattle, then more jewels, then more unused tokens
behind the screen; if everything is equal, it is a draw. Unused tokens are counted before anybody takes tokens back.

> 7 cattle, 5 jewels, two boys and a daughter held: 14 + 15 + 2 + 5 = 36.

> A clan with 11 cattle ends the match with 28 points, but a rival has 31: the rival wins.

# Three tips
- A daughter on guard stops every scout, but a warrior carries her off: 5 points for your rival.
- As a scout, a chief is stopped only by a chief or a daughter; a boy wins only where there is no guard, or a bluff.
- If you still place when the others have passed, nobody can respond. Use bluffs to wait.
""",
    "en",
)
