"""Word lists and the letters of their words, in many scripts.

The expected scores come from a plain reference that compares characters, without symbol tables.
"""

# ruff: noqa: RUF001  (letters of other scripts are tested)

import json
import unicodedata
import warnings

import pytest

import mmsat
from mmsat.errors import InputError
from mmsat.game.board import PRINTERS, Board
from mmsat.game.names import find_game
from mmsat.game.notation.board_reader import speller
from mmsat.game.symbols import SymbolTable, split_characters
from mmsat.game.words import make_word_list
from tests.support.cli_runner import run


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_game(folder, words, pegs, **keys):
    """Write a game of these words, with a mark for each place, and return its name."""
    definition = {"pegs": pegs, "words": words, "score": "places", "guesses": "any", **keys}
    (folder / "own.json").write_text(json.dumps(definition), "utf-8")
    return "game:own.json"


def printed_words(game):
    """Return the printed words of a game."""
    return [speller(game).print_code(code) for code in game.space.codes]


def true_marks(code, guess):
    """Return the marks of a guess by the definition of in place, elsewhere and absent."""
    remaining = [one for one, other in zip(code, guess, strict=True) if one != other]
    marks = ["G" if one == other else "-" for one, other in zip(code, guess, strict=True)]
    for place, sign in enumerate(guess):
        if marks[place] == "-" and sign in remaining:
            remaining.remove(sign)
            marks[place] = "Y"
    return "".join(marks)


LISTS = {
    "Turkish": ["ırmak", "kadın", "balık", "kitap", "deniz"],
    "German": ["größe", "häuse", "müsli"],
    "Spanish": ["señor", "perro", "gatos"],
    "Greek": ["λόγος", "σοφός", "νόμος"],
    "Dutch": ["ĳsco", "ijsc", "kiĳk"],
    "Croatian": ["ǆep", "ǆam", "dža"],
    "Lithuanian": ["ė̃ji", "e͂ti", "ėji"],
    "Cherokee": ["ꭰꭱ", "ꭲꭰ"],
    "Tamil": ["தமிழ்", "அம்மா", "தம்பி"],
    "Hindi": ["हिन्दी", "नमकक"],
    "Korean": ["한국", "사람", "한사"],
    "Hebrew": ["שלום", "ספרי"],
    "Russian": ["мир", "сон", "рис"],
    "wide": ["ＣＡＴ", "ＤＯＧ"],
    "capitals": ["CRANE", "SLATE"],
    "Turkish capitals": ["IRMAK", "KADIN", "KİTAP", "DENİZ"],
}
CHARACTERS = {
    "ė̃ji": ["ė̃", "j", "i"],
    "தமிழ்": ["த", "மி", "ழ்"],
    "அம்மா": ["அ", "ம்", "மா"],
    "தம்பி": ["த", "ம்", "பி"],
    "हिन्दी": ["हि", "न्", "दी"],
    "नमकक": ["न", "म", "क", "क"],
    "e͂ti": ["e͂", "t", "i"],
}
"""The characters of words that have more code points than characters."""


def characters(word):
    return CHARACTERS.get(word) or [*word]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("script", LISTS)
def test_words_are_scored_and_printed_letter_by_letter(folder, script, form):
    words = [word for word in LISTS[script] if script != "Hindi" or word != "नमकक"]
    pegs = len(characters(words[0]))
    (folder / "list.txt").write_text(
        unicodedata.normalize(form, "\n".join(words)) + "\n", encoding="utf-8"
    )
    name = write_game(folder, "list.txt", pegs)
    game = find_game(name)
    assert sorted(printed_words(game)) == sorted(words)
    assert printed_words(find_game("word:list.txt")) == printed_words(game)
    for guess in words:
        for code in words:
            score = true_marks(characters(code), characters(guess))
            fitting = [w for w in words if true_marks(characters(w), characters(guess)) == score]
            board = Board.parse(f"{name}/{unicodedata.normalize(form, guess)}={score}")
            assert sorted(map(speller(game).print_code, mmsat.codes(board))) == sorted(fitting)
            for notation in PRINTERS:
                assert Board.parse(PRINTERS[notation](board)) == board


@pytest.mark.parametrize(
    ("script", "text", "word"),
    [
        ("German", "GRÖẞE", "größe"),
        ("German", "MÜSLI", "müsli"),
        ("Spanish", "SEÑOR", "señor"),
        ("Spanish", "SEN\u0303OR", "señor"),
        ("Dutch", "ĲSCO", "ĳsco"),
        ("Dutch", "IJSC", "ijsc"),
        ("Croatian", "ǅEP", "ǆep"),
        ("Croatian", "ǄEP", "ǆep"),
        ("Lithuanian", "Ė̃JI", "ė̃ji"),
        ("Cherokee", "ᎠᎡ", "ꭰꭱ"),
        ("Korean", "\u1112\u1161\u11ab\u1100\u116e\u11a8", "한국"),
        ("Russian", "МИР", "мир"),
        ("Turkish", "KADıN", "kadın"),
        ("Turkish", "KİTAP", "kitap"),
        ("Turkish capitals", "ırmak", "IRMAK"),
        ("wide", "cat", "ＣＡＴ"),
        ("capitals", "ｃｒａｎｅ", "CRANE"),
    ],
)
def test_a_letter_in_another_case_is_matched_if_one_symbol_fits(folder, script, text, word):
    name = write_game(folder, LISTS[script], len(characters(word)))
    board = Board.parse(f"{name}/{text}={'G' * len(characters(word))}")
    assert speller(board.game).print_code(board.rows[0].guess) == word


@pytest.mark.parametrize(
    ("script", "text", "column", "message"),
    [
        ("Turkish", "IRMAK", 15, "expected i or ı, found 'I' (it may be either)"),
        ("Turkish", "KADIN", 18, "expected i or ı, found 'I' (it may be either)"),
        ("Turkish capitals", "kitap", 16, "expected I or İ, found 'i' (it may be either)"),
        ("Greek", "ΛΌΓΟΣ", 19, "expected ς or σ, found 'Σ' (it may be either)"),
        ("German", "GRÖSSE", 15, "expected 5 letters, not 6, found 'GRÖSSE'"),
        (
            "Russian",
            "mир",
            15,
            "expected a letter, имнорс, or 1 to 6 joined by '-' or ',', found 'm'",
        ),
    ],
)
def test_a_letter_that_fits_no_symbol_or_several_is_an_input_error(
    folder, script, text, column, message
):
    name = write_game(folder, LISTS[script], len(LISTS[script][0]))
    with pytest.raises(InputError) as caught:
        Board.parse(f"{name}/{text}={'-' * len(LISTS[script][0])}")
    texts = [line.partition(": ") for line in str(caught.value).splitlines()]
    assert texts[0][0] == f"the board, line 1, column {column}"
    assert {fault for _, _, fault in texts} == {message}


@pytest.mark.parametrize(
    ("symbols", "texts"),
    [
        ("🔴⚫️🟢", ["🔴⚫🟢", "🔴⚫️🟢"]),
        ("👍🏽🇩🇪👩‍🚀", ["👍🏽🇩🇪👩‍🚀"]),
        ("ırk", ["ırk", "ıRK"]),
        ("σςο", ["σςο"]),
    ],
)
def test_symbols_are_user_perceived_characters(folder, symbols, texts):
    (folder / "own.json").write_text(json.dumps({"pegs": 3, "symbols": symbols}), "utf-8")
    for text in texts:
        board = Board.parse(f"game:own.json/{text}=3.0")
        assert board.rows[0].guess == (0, 1, 2)
        assert speller(board.game).print_code((0, 1, 2)) == symbols
        assert Board.parse(PRINTERS["json"](board)) == board


def test_symbols_can_be_a_list(folder):
    (folder / "own.json").write_text(json.dumps({"pegs": 3, "symbols": ["R", "G", "B"]}), "utf-8")
    assert Board.parse("game:own.json/RGB=1.1").rows[0].guess == (0, 1, 2)


@pytest.mark.parametrize("symbols", [["red", "blue"], []])
def test_a_symbol_is_one_character(folder, symbols):
    (folder / "own.json").write_text(json.dumps({"pegs": 3, "symbols": symbols}), "utf-8")
    with pytest.raises(InputError) as raised:
        Board.parse("game:own.json/RGB=1.1")
    assert str(raised.value) == (
        "own.json, line 1, column 24: expected one character per symbol, found "
        f"'{json.dumps(symbols)}' (symbols are different characters, none of them a blank or one "
        "of -=:/#?.,)"
    )


@pytest.mark.parametrize("symbols", ["aAb", "ab", "a-b", "a bc", "äÄb", "\u0301ab", "⚫⚫️🔴a"])
def test_unsuitable_symbols_are_an_input_error(folder, symbols):
    definition = {"pegs": 3, "colors": 3, "symbols": symbols}
    (folder / "own.json").write_text(json.dumps(definition), "utf-8")
    with pytest.raises(InputError, match=r"own\.json, line 1, column \d+: expected "):
        find_game("game:own.json")


def test_each_letter_has_one_symbol_and_latin_words_have_the_whole_alphabet():
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    expected = {
        ("señor",): alphabet + "ñ",
        ("Anna", "otto"): alphabet,
        ("ANNA",): alphabet.upper(),
        ("Мир", "сон"): "Минорс",
        ("МИР",): "ИМР",
    }
    for words, symbols in expected.items():
        assert "".join(make_word_list(words, len(words[0])).symbols) == symbols


def test_a_form_with_more_characters_does_not_match_a_symbol():
    for name in ("ß", "ŉ", "ﬁ", "İ", "ΐ"):
        table = SymbolTable([name, "s", "n", "f", "j"])
        assert table.find(name) == 0
        for text in (name.upper(), name.casefold()):
            assert len(split_characters(text)) == 1 or table.find(text) is None


MIXED = "# a list\n\nseñor\nperro\ngatos\nperro\nsol\nventana\ndon't\nx-ray\n12345\nniñas # girls\n"
UNFIT_MESSAGE = (
    "5 of 9 words do not fit: 2 of a length other than 5 (sol, ventana); "
    "3 with characters other than letters (don't, x-ray, 12345)"
)


@pytest.mark.parametrize(
    "data",
    [
        MIXED.encode(),
        MIXED.replace("\n", "\r\n").encode(),
        MIXED.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + MIXED.encode(),
        unicodedata.normalize("NFD", MIXED).encode(),
    ],
    ids=["plain", "CRLF", "CR", "BOM", "NFD"],
)
def test_words_that_do_not_fit_are_counted_and_named(folder, data):
    (folder / "es.txt").write_bytes(data)
    with pytest.warns(mmsat.WordListWarning) as warned:
        game = find_game("word:es.txt:5")
    assert [str(warning.message) for warning in warned] == [f"es.txt: {UNFIT_MESSAGE}"]
    assert printed_words(game) == ["gatos", "niñas", "perro", "señor"]
    result = run("check", "word:es.txt:5/PERRO=1.2/GATOS=1.1")
    assert (result.exit_code, result.stderr) == (10, f"es.txt: {UNFIT_MESSAGE}\n")
    assert "the code señor gets exactly these scores" in result.stdout


def test_commands_name_the_words_that_do_not_fit(folder):
    (folder / "list.txt").write_text("crane\nslate\nbar\ncr4ne\n", "utf-8")
    (folder / "own.toml").write_text('pegs = 5\nwords = "list.txt"\n', "utf-8")
    definition = 'pegs = 5\ncolors = 26\nwords = "list.txt"\nguesses = "any"\n'
    (folder / "upper.toml").write_text(definition, "utf-8")
    text = "list.txt: 2 of 4 words do not fit: 1 of a length other than 5 (bar); 1 with characters "
    listed = run("list", "game:own.toml")
    assert (listed.stdout, listed.stderr) == (
        "crane\nslate\n",
        f"{text}other than letters (cr4ne)\n",
    )
    listed = run("list", "game:upper.toml")
    assert (listed.stdout, listed.stderr) == (
        "CRANE\nSLATE\n",
        f"{text}other than A to Z (cr4ne)\n",
    )
    result = run("optimal", "3x2", "--guesses", "list.txt")
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: the word list: expected words of 3 letters, one per line, found 'list.txt' (4 of 4 "
        "words do not fit: 3 of a length other than 3 (crane, slate, cr4ne); 1 with characters "
        "other than 1 to 2 (bar))\n"
    )
    (folder / "few.txt").write_text("trace\nbar\n", "utf-8")
    result = run("optimal", "game:upper.toml", "--guesses", "few.txt")
    assert result.exit_code == 0
    assert result.stderr == (
        f"{text}other than A to Z (cr4ne)\n"
        "few.txt: 1 of 2 words does not fit: 1 of a length other than 5 (bar)\n"
    )


def test_a_message_names_at_most_ten_words_per_reason(folder):
    (folder / "list.txt").write_text("\n".join(["cat", *(f"{n}x" for n in range(12))]), "utf-8")
    with pytest.warns(mmsat.WordListWarning) as warned:
        find_game("word:list.txt:3")
    assert str(warned[0].message) == (
        "list.txt: 12 of 13 words do not fit: 10 of a length other than 3 (0x, 1x, 2x, 3x, 4x, 5x, "
        "6x, 7x, 8x, 9x); 2 with characters other than letters (10x, 11x)"
    )


@pytest.mark.parametrize(
    ("text", "name", "expected", "rule"),
    [
        (
            "мир\n",
            "word:ru.txt:4",
            "words of 4 letters, one per line",
            "1 of 1 word does not fit: 1 of a length other than 4 (мир)",
        ),
        ("123\n45\n", "word:ru.txt", "words of letters, one per line", "not letters only: 123, 45"),
        ("", "word:ru.txt", "words of letters, one per line", "it has no words"),
        ("# nothing\n", "word:ru.txt:3", "words of 3 letters, one per line", "it has no words"),
    ],
)
def test_the_error_of_a_list_without_fitting_words_has_a_reason(folder, text, name, expected, rule):
    (folder / "ru.txt").write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        find_game(name)
    assert str(caught.value) == f"the word list: expected {expected}, found 'ru.txt' ({rule})"


@pytest.mark.parametrize("name", ["word:list.txt", "word:list.txt:3", "game:list.txt"])
def test_the_error_of_a_list_that_cannot_be_decoded_has_its_place(folder, name):
    (folder / "list.txt").write_bytes(b"cat\nd\xffg\n")
    with pytest.raises(InputError) as caught:
        find_game(name)
    (fault,) = caught.value.faults
    assert (caught.value.source.endswith("list.txt"), fault.line, fault.column) == (True, 2, 2)
    assert fault.expected.startswith("text in UTF-8")


def test_the_error_for_a_list_of_several_lengths_lists_them(folder):
    (folder / "list.txt").write_text("cat\ndog\nhorse\nx-y\n", "utf-8")
    with pytest.raises(InputError) as caught:
        find_game("word:list.txt")
    assert str(caught.value) == (
        "the word list: expected a number of letters, as in word:list.txt:3, found 3 (2 words), "
        "5 (1 word) (the list has words of several lengths)"
    )


NOT_LETTERS = "with characters other than letters"


@pytest.mark.parametrize(
    ("words", "faults"),
    [
        (
            ["Irmak", "kadın", "kitap"],
            [(23, "5 letters", "'Irmak'", "with I, which may be i or ı")],
        ),
        (
            ["don't", "sol", "perro"],
            [
                (23, "5 letters", '"don\'t"', NOT_LETTERS),
                (32, "5 letters", "'sol'", "of a length other than 5"),
            ],
        ),
        (["🔴🟢🔴🟢🔴"], [(23, "5 letters", "'🔴🟢🔴🟢🔴'", NOT_LETTERS)]),
        ([], [(22, "words of 5 letters", "'[]'", "the list is empty")]),
    ],
)
def test_words_of_a_definition_that_do_not_fit_are_errors(folder, words, faults):
    definition = json.dumps({"pegs": 5, "words": words}, ensure_ascii=False)
    (folder / "own.json").write_text(definition, "utf-8")
    with pytest.raises(InputError) as caught:
        find_game("game:own.json")
    assert str(caught.value).splitlines() == [
        f"own.json, line 1, column {column}: expected {expected}, found {result} ({rule})"
        for column, expected, result, rule in faults
    ]


def test_the_english_list_gives_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert find_game("word:english:5").size == find_game("daily-word").size
    assert printed_words(find_game("word:english:3"))[0] == "AAH"


def test_a_word_that_is_also_a_command_can_be_guessed_by_numbers(folder):
    name = write_game(folder, ["hint", "kıta"], 4)
    result = run("play", name, "--seed", 1, stdin="hint\nHINT\n8-9-14-20\n:quit\n")
    assert result.stderr.splitlines()[:2] == [
        "(To guess this word, type 8-9-14-20.)",
        "expected i or ı, found 'I' (it may be either)",
    ]


def test_tables_of_words_in_other_scripts_read_back(folder):
    for words in (LISTS["Tamil"], LISTS["Korean"], LISTS["Spanish"]):
        name = write_game(folder, words, len(characters(words[0])), score="black-white")
        board = Board.parse(f"{name}/{words[0]}=?.?")
        table = run("check", str(board)).stdout
        assert Board.parse(table.partition("code")[0]) == board
