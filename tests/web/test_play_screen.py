"""The screen of games: hard mode, several boards, the result, and puzzles with hints."""

from __future__ import annotations

import re

import pytest

import mmsat
from mmsat import Board
from tests.support import page_states
from tests.support.page_states import PUZZLE
from tests.support.web_client import ask

FREEZE = "() => { Date.now = () => 1; crypto.getRandomValues = array => (array[0] = 5, array); }"


def start(visit, game, **options):
    """Open the screen of games, choose options, and start to guess; the seed of the code is 5."""
    visit.open(game).wait_for_verdict("are possible")
    page = visit.screen("play").page
    page.evaluate(FREEZE)
    if options.get("boards"):
        page.select_option("#boards", str(options["boards"]))
    if options.get("hard"):
        page.check("text=Hard mode")
    if options.get("evil"):
        page.check("text=The computer cheats")
    page.click("text=Start guessing")
    page.focus(".rows .cell[tabindex='0']")
    return page


def secret(visit, game, seed=5):
    return ask(visit.address, "play", board=game, seed=seed, reveal=True)[1]["answer"]["code"]


def wait_for(page, pattern):
    page.wait_for_function(
        "pattern => new RegExp(pattern).test(document.querySelector('play-view').innerText)",
        arg=pattern,
    )


def test_the_result_shows_guesses_best_play_and_skill(visit):
    page = start(visit, "4x6")
    code = secret(visit, "4x6")
    first = "1122" if code != "1122" else "1123"
    visit.press(*first, "Enter")
    wait_for(page, "Guess 2:")
    visit.press(*code, "Enter")
    wait_for(page, "Found in 2 guesses")
    wait_for(page, "skill, of 100")
    line = visit.line()
    _, review = ask(visit.address, "review", board=line)
    _, suggestion = ask(visit.address, "suggest", board="4x6")
    values = dict(
        zip(
            page.locator(".result dt").all_inner_texts(),
            page.locator(".result dd").all_inner_texts(),
            strict=True,
        )
    )
    above, below = suggestion["answer"]["expected_guesses"].split("/")
    assert values == {
        "guesses": "2",
        "best play, on average": f"{int(above) / int(below):.3g}",
        "skill, of 100": str(round(100 * review["answer"]["skill"])),
    }
    page.click("text=Review this game")
    page.wait_for_selector("review-view li")
    assert visit.line() == line
    assert page.locator(".result").is_hidden()


BEST = {
    ("4x6", "hard"): "best play in hard mode, on average",
    ("daily-word", "hard"): "not known for this game",
    ("4x6", "boards"): "not known for several codes at the same time",
    ("4x6", "evil"): "cheated, so there is no average",
    ("4x6", "lies"): "not known if scores may be wrong",
    ("4x5x5", None): "not known for this game",
}


@pytest.mark.parametrize(("game", "setting"), BEST)
def test_the_result_has_the_best_possible_or_says_why_not(visit, game, setting):
    """A cheating computer has no code, so its game is won by the guess that alone remains."""
    boards = 2 if setting == "boards" else 1
    line = f"{game}/&lies=1" if setting == "lies" else game
    page = start(visit, line, hard=setting == "hard", evil=setting == "evil", boards=boards)
    guesses = [secret(visit, game, 5 + n) for n in range(boards) if setting != "evil"]
    for number in range(1, 12):
        if setting == "evil":
            _, codes = ask(visit.address, "codes", board=visit.line(), limit=1)
            guesses.append("".join(str(color) for color in codes["answer"]["listed"][0]))
        visit.press(*guesses[min(number, len(guesses)) - 1], "Enter")
        wait_for(page, f"Guess {number + 1}:|Found in {number} ")
        if page.locator(".result").count():
            break
    wait_for(page, BEST[game, setting])
    shown = page.inner_text(".result")
    if setting in ("boards", "lies"):
        assert "skill" not in shown
    if "in hard mode" in BEST[game, setting]:
        optimum = mmsat.optimal(game, hard=True)
        assert optimum.is_proven
        assert f"{optimum.total / Board.parse(game).game.size:.3g}" in shown.split()


def test_a_result_is_copied_without_the_guesses(visit_in):
    visit = visit_in(viewport={"width": 1200, "height": 800}, permissions=["clipboard-read"])
    visit.page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value:"
        " { writeText: async text => { window.copied = text; } } })"
    )
    page = start(visit, "4x6")
    code = secret(visit, "4x6")
    visit.press(*code, "Enter")
    wait_for(page, f"Found in 1 guess: {code}\\.")
    page.click("text=Copy the result")
    wait_for(page, "Copied")
    assert page.evaluate("window.copied") == "Mastermind 4x6: found in 1\n⚫⚫⚫⚫"
    page.click("text=Play again")
    wait_for(page, "I have a code. Guess 1")
    assert visit.line() == "4x6"
    assert visit.errors == []


def test_hard_mode_refuses_a_guess_and_keeps_it_for_correction(visit):
    page = start(visit, "daily-word", hard=True)
    code = secret(visit, "daily-word")
    first = next(
        word for word in ("CRANE", "SLOTH", "MOIST") if set(word) & set(code) and word != code
    )
    visit.press(*first.lower(), "Enter")
    wait_for(page, "Guess 2:")
    breach = next(word for word in ("FUZZY", "MAMMA", "PIPIT") if not set(word) & set(code))
    visit.press(*breach.lower(), "Enter")
    wait_for(page, "Hard mode: .* \\(row 1\\)\\.")
    page.focus(".rows .cell[tabindex='0']")
    page.locator(".row").nth(1).locator(".guess .cell").nth(0).click()
    visit.press(*code.lower(), "Enter")
    wait_for(page, "Found in 2 guesses")


def test_several_boards_are_guessed_with_the_same_guesses(visit):
    page = start(visit, "3x4", boards=2)
    codes = [secret(visit, "3x4", seed) for seed in (5, 6)]
    lines = ["3x4", "3x4"]
    for number, guess in enumerate(dict.fromkeys(["112", *codes]), start=1):
        visit.press(*guess, "Enter")
        wait_for(page, f"Guess {number + 1}:|Found in {number}")
        for index, seed in enumerate((5, 6)):
            _, document = ask(visit.address, "play", board=lines[index], guess=guess, seed=seed)
            lines[index] = document["answer"]["board"]
        if number == 1:
            for index in (1, 0):  # each board shows its own scores
                page.click(f".boards button:nth-child({index + 1})")
                page.wait_for_selector(f".boards button:nth-child({index + 1})[aria-pressed=true]")
                assert visit.line() == lines[index]
            page.locator(".row.empty .guess .cell").nth(0).click()
    wait_for(page, "Found in")
    found = page.inner_text(".result dl div:last-child dd")
    rows = [Board.parse(line).rows for line in lines]
    assert found == ", ".join(str([row.score for row in each].index((3, 0)) + 1) for each in rows)


def test_several_boards_are_shown_side_by_side(visit):
    page = start(visit, "4x6", boards=4)
    palette = page.locator(".palette").bounding_box()
    visit.press(*"1122", "Enter")
    wait_for(page, "Guess 1, 1122: \\d of 4 codes are found")
    assert page.locator(".palette").bounding_box() == palette
    assert page.locator(".row").nth(1).locator(".score .cell").count() == 0
    scores = [ask(visit.address, "play", board="4x6", guess="1122", seed=5 + n) for n in range(4)]
    boards = page.locator(".boards button")
    for n, (_, document) in enumerate(scores):
        black, white = document["answer"]["score"]
        name = boards.nth(n).get_attribute("aria-label")
        assert name.endswith(f"last score: {black} black {white} white")
        assert boards.nth(n).locator(".scored .code").get_attribute("aria-label") == "1122"
        assert boards.nth(n).locator(".keys .key-black").count() == black
        assert boards.nth(n).locator(".keys .key-white").count() == white
    boxes = [boards.nth(n).bounding_box() for n in range(4)]
    assert len({box["y"] for box in boxes}) == 1
    page.get_by_role("button", name="Give up and show the codes").click()
    wait_for(page, "The codes were")
    boards.nth(2).click()
    black, white = scores[2][1]["answer"]["score"]
    assert visit.line() == f"4x6/1122={black}.{white}"
    assert page.locator(".result").count() == 1


@pytest.mark.parametrize("wrong_first", [False, True])
def test_a_puzzle_has_hints_of_three_strengths(visit, wrong_first):
    visit.open("4x6").wait_for_verdict("are possible")
    page = visit.screen("play").page
    page.select_option("#grade", "1")
    page.click("text=New puzzle")
    wait_for(page, "A puzzle of grade 1")
    line = visit.line()
    page.wait_for_function("() => document.activeElement.matches('.row.empty .cell.here')")
    assert page.evaluate("location.hash").endswith("&puzzle=1")
    _, steps = ask(visit.address, "steps", board=line)
    first_step = steps["answer"]["steps"][0]
    hints, before = [], None
    for name in ("Hint", "More help", "More help"):
        page.get_by_role("button", name=name, exact=True).click()
        page.wait_for_function(
            "before => document.querySelector('.puzzle-hint')?.innerText !== before",
            arg=before,
        )
        before = page.inner_text(".puzzle-hint")
        hints += visit.said(".puzzle-hint")
        lit = page.locator(".row.used .number").all_inner_texts()
        assert lit == [str(row) for row in first_step["rows"]]
    assert re.match(r"Look at rows? [\d, and]+\.$", hints[0])
    assert hints[1].startswith(hints[0][:-1])
    assert hints[2] in steps["sentences"]
    assert page.locator(".told").count() == 0
    page.get_by_role("button", name="More help", exact=True).click()
    page.wait_for_selector(".told li")
    told = visit.said(".told li"), visit.said(".puzzle-hint")
    assert told[0] == [hints[2]]
    page.reload()
    page.wait_for_selector(".told li")
    assert (visit.said(".told li"), visit.said(".puzzle-hint")) == told
    (code,) = mmsat.codes(line)
    page.locator(".row.empty .guess .cell").nth(0).click()
    if wrong_first:
        wrong = [str((color + 1) % 6 + 1) for color in code]
        visit.press(*wrong, "Enter")
        wait_for(page, f"Not {''.join(wrong)}")
        _, answer = ask(visit.address, "scores", board=line, code="".join(wrong))
        row = answer["answer"]["wrong"][0]
        black, white = answer["answer"]["scores"][row - 1]
        assert f"row {row} would score {black} black {white} white" in page.inner_text("play-view")
        page.locator(".row.draft .guess .cell").nth(0).click()
    visit.press(*(str(color + 1) for color in code), "Enter")
    wait_for(page, f"Wrong codes: {int(wrong_first)}, hints: 4")
    announced = "() => document.querySelector('#status').innerText.includes('that is the code')"
    page.wait_for_function(announced)
    page.wait_for_timeout(1000)  # later than the announcement of a verdict
    assert page.evaluate(announced)
    assert page.evaluate("location.hash").count("puzzle") == 0


def test_the_link_of_a_puzzle_does_not_show_its_solution(visit):
    line = "4x6/1122=1.1/3345=0.2/6616=1.0/4132=1.1"
    codes = list(mmsat.codes(line))
    (code,) = codes if len(codes) == 1 else [None]
    if code is None:
        line = str(mmsat.puzzle("4x6", grade=1, seed=3).board)
        (code,) = mmsat.codes(line)
    visit.open(f"{line}&puzzle=1")
    page = visit.page
    page.wait_for_selector("play-view >> text=A puzzle:")
    spelled = "".join(str(color + 1) for color in code)
    assert spelled not in page.inner_text("main")
    assert page.locator(f"[aria-label='{spelled}']").count() == 0
    page.reload()
    page.wait_for_selector("play-view >> text=A puzzle")
    assert page.locator(f"[aria-label='{spelled}']").count() == 0
    visit.screen("play")
    page.locator(".row.empty .guess .cell").nth(0).click()
    visit.press(*spelled, "Enter")
    wait_for(page, f"Right: that is the code, {spelled}")


def test_a_hint_for_the_puzzle_of_a_link_is_shown_at_once(desk):
    """The board of the link is read only once.

    A second answer would restart the puzzle and remove the hint.
    """
    requests = []

    def let_the_first_pass(route):
        requests.append(route)
        if len(requests) == 1:
            route.continue_()

    page = desk.page
    page.route("**/api/codes", let_the_first_pass)
    desk.hold("steps").open(f"{PUZZLE}&puzzle=1")
    page.wait_for_selector("play-view >> text=A puzzle")
    page.get_by_role("button", name="Hint", exact=True).click()
    for route in requests[1:]:
        with page.expect_response("**/api/codes"):
            route.continue_()
    desk.release()
    page.wait_for_selector(".puzzle-hint")
    assert len(requests) == 1


@pytest.mark.parametrize("link", ["4x6/1122=1.1/3345=0.2", "5x8/11223=1.1", f"{PUZZLE}&puzzle=1"])
def test_a_game_that_begins_while_a_link_is_read_is_not_ended_by_it(desk, link):
    page = desk.hold("board").open(link).page
    desk.screen("play").page.click("text=Start guessing")
    desk.press(*"11")
    desk.release()
    desk.press(*"22", "Enter")
    wait_for(page, "Guess 2:")
    assert desk.line().startswith("4x6/1122=")
    assert page.locator("guesses-view >> text=Hidden while you play.").count() == 1
    page.reload()
    desk.release()
    wait_for(page, "Guess 2:")
    assert desk.line().startswith("4x6/1122=")
    page.get_by_role("button", name="End the game and keep its rows").click()
    page.go_back()
    line = link.partition("&")[0]
    page.wait_for_function("line => window.mmsat.analysis.line === line", arg=line)


@pytest.mark.parametrize(
    ("button", "pattern"), [("Let it guess", "My guess 1 is"), ("New puzzle", "A puzzle of grade")]
)
def test_other_games_that_begin_while_a_link_is_read_are_not_ended_by_it(desk, button, pattern):
    page = desk.hold("board").open("4x6/1122=1.1/3345=0.2").page
    desk.screen("play").page.get_by_role("button", name=button, exact=True).click()
    wait_for(page, pattern)
    line = desk.line()
    desk.release()
    page.wait_for_timeout(500)
    assert desk.line() == line
    wait_for(page, pattern)


def test_the_puzzle_of_the_day_counts_once_and_makes_a_streak(visit):
    visit.open("5x8").wait_for_verdict("are possible")
    page = visit.screen("play").page
    page.evaluate(
        "() => { const day = new Date(Date.now() - 86400000);"
        " const text = [day.getFullYear(), day.getMonth() + 1, day.getDate()]"
        ".map(part => String(part).padStart(2, '0')).join('-');"
        " localStorage.setItem('puzzles', JSON.stringify("
        "{ days: { [text]: { tries: 0, hints: 0 } }, solved: 1 })); }"
    )
    lines = []
    for _ in range(2):
        page.click("text=Puzzle of the day")
        wait_for(page, r"The puzzle of \d{4}-\d\d-\d\d, of grade")
        lines.append(visit.line())
        (code,) = mmsat.codes(lines[-1])
        page.locator(".row.empty .guess .cell").nth(0).click()
        visit.press(*(str(color + 1) for color in code), "Enter")
        wait_for(page, "Puzzles of the day in a row: 2")
        page.click(".result >> text=Close")
        page.wait_for_selector("play-view .tag >> text=solved")
    assert lines[0] == lines[1]
    assert "3 puzzles solved in this browser" in page.inner_text("play-view")


def test_the_review_of_a_game_in_hard_mode_knows_the_mode(visit):
    """On a phone, the palette goes away, and the review is in view."""
    page = start(visit, "daily-word", hard=True)
    code = secret(visit, "daily-word")
    first = next(
        word for word in ("CRANE", "SLOTH", "MOIST") if set(word) & set(code) and word != code
    )
    _, listed = ask(visit.address, "play", board="daily-word", guess=first, seed=5)
    board = listed["answer"]["board"]
    _, codes = ask(visit.address, "codes", board=board)
    second = next(word for word in codes["answer"]["listed_text"] if word != code)
    for number, word in enumerate((first, second, code), start=1):
        visit.press(*word.lower(), "Enter")
        wait_for(page, f"Guess {number + 1}:|Found in")
    line = visit.line()
    page.click("text=Review this game")
    page.wait_for_selector("review-view .move")
    assert page.get_by_label("Hard mode: compare only").is_checked()
    _, hard = ask(visit.address, "review", board=line, hard=True)
    _, free = ask(visit.address, "review", board=line)
    assert hard["answer"]["moves"][1]["best"] != free["answer"]["moves"][1]["best"]

    def skill(review):
        return f"Skill {round(100 * review['answer']['skill'])} of 100"

    assert skill(hard) in page.inner_text("review-view")
    page.wait_for_timeout(300)
    top = page.locator(".tabs").bounding_box()["y"]
    assert 0 <= top < page.viewport_size["height"] / 2
    assert page.locator("board-view.put-away").count() == 1
    page.get_by_label("Hard mode: compare only").uncheck()
    page.wait_for_function(
        "text => document.querySelector('review-view').innerText.includes(text)", arg=skill(free)
    )


def test_training_for_hard_mode_refuses_what_it_forbids(desk):
    line = "4x6/1122=1.1/3345=0.2/6616=1.0"
    desk.open(line).wait_for_verdict("possible")
    page = desk.tab("review").page
    page.get_by_label("Hard mode: compare only").check()
    page.wait_for_selector("review-view .move")
    _, review = ask(desk.address, "review", board=line, hard=True)
    (best,) = {tuple(move["best"]) for move in review["answer"]["moves"] if move["row"] == 3}
    assert "Hard mode forbids this guess" not in page.inner_text("review-view")
    page.locator(".move .step").nth(2).click()
    page.wait_for_selector("text=Hard mode forbids this guess: it ignores row 1.")
    page.click("text=Find better guesses")
    while "for row 3" not in page.inner_text(".lesson"):
        page.click("text=Next one")
    for guess, answer in (("6666", "row 1"), ("".join(map(str, best)), "no guess is better")):
        page.fill("#better", guess)
        page.keyboard.press("Enter")
        page.wait_for_selector(f".lesson [role=status] >> text={answer}")


def test_the_puzzle_of_the_day_names_its_game(visit):
    """It is the same for every board, and leads back to the board."""
    visit.open("daily-word/CRANE=-YY--").wait_for_verdict("possible")
    page = visit.screen("play").page
    assert "Mastermind, 4x6" in page.inner_text("section[aria-labelledby=offer-puzzle]")
    page.click("text=Puzzle of the day")
    wait_for(page, "The puzzle of")
    page.click("text=End the game and return to my earlier board")
    assert visit.line() == "daily-word/CRANE=-YY--"


@pytest.mark.parametrize(("game", "noun"), [("4x6", "code"), ("daily-word", "word")])
def test_games_of_words_speak_of_words(visit, game, noun):
    visit.open(game).wait_for_verdict("are possible")
    page = visit.screen("play").page
    text = page.inner_text("play-view")
    assert f"Guess the computer's {noun}" in text
    assert f"Let the computer guess your {noun}" in text
    page.select_option("#boards", "2")
    page.click("text=Start guessing")
    page.focus(".rows .cell[tabindex='0']")
    visit.press(*("1122" if noun == "code" else "crane"), "Enter")
    wait_for(page, f"of 2 {noun}s are found")


def test_what_is_typed_on_the_offers_changes_no_board(visit):
    page_states.offers(visit)
    visit.press(*"112211")
    visit.page.focus("text=Start guessing")
    visit.press(*"3344")
    assert visit.line() == "4x6"
    assert visit.page.locator(".offers").is_visible()


def test_what_is_typed_after_a_hint_goes_to_the_code(visit):
    page_states.puzzle(visit)
    page = visit.page
    page.click("play-view >> text=More help")
    visit.press("h")
    assert "“h” is no color" in page.inner_text(".refusal")
    page.click("play-view >> text=More help")
    assert page.inner_text(".refusal") == ""
    visit.press(*"1111")
    assert page.evaluate("document.activeElement.matches('.rows .cell')")
    hints = page.inner_text(".puzzle-hint")
    visit.press("Enter")
    page.wait_for_selector("play-view >> text=Not 1111")
    assert page.inner_text(".puzzle-hint") == hints


def test_the_explanation_of_a_puzzle_has_its_given_rows_only(visit):
    page_states.puzzle(visit)
    (code,) = mmsat.codes(page_states.PUZZLE)
    page = visit.page
    page.focus(".rows .cell[tabindex='0']")
    visit.press(*(str(color + 1) for color in code), "Enter")
    page.click("text=Explain this puzzle")
    page.wait_for_selector("why-view .steps li")
    assert page.locator(".row.draft:not(.empty)").count() == 0
    assert "not complete" not in page.inner_text("main")
