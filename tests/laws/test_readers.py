"""Each reader returns a value or reports a fault for any bytes, quickly and in little memory."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmsat.errors import InputError
from tests.support import tiers
from tests.support.fuzzing import PIECES, Edit, attempt, mutate
from tests.support.readers import FOUND, PROOFS, READERS, seal

pytestmark = pytest.mark.filterwarnings("ignore")
each_reader = pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
EDITS = st.lists(
    st.builds(
        Edit,
        st.integers(0, 1000),
        st.integers(0, 30),
        st.sampled_from(PIECES) | st.binary(max_size=8) | st.text(max_size=8).map(str.encode),
    ),
    max_size=4,
)


@each_reader
def test_valid_samples_are_read(reader):
    for sample in reader.samples:
        reader.read(sample)


def test_seals_are_those_of_written_proofs():
    assert [*map(seal, PROOFS)] == [*PROOFS]
    with pytest.raises(InputError, match="begins with"):
        READERS["sealed"].read(b"")


@pytest.mark.parametrize(("name", "data"), FOUND)
def test_data_that_once_failed_is_a_reported_fault(name, data):
    attempt(READERS[name], data)
    with pytest.raises(InputError):
        READERS[name].read(data)


@each_reader
@settings(max_examples=tiers.share(300))
@given(data=st.data())
def test_changed_samples_are_read_or_refused(reader, data):
    attempt(reader, mutate(data.draw(st.sampled_from(reader.samples)), data.draw(EDITS)))


@each_reader
@settings(max_examples=tiers.share(150))
@given(data=st.binary(max_size=200) | st.lists(st.sampled_from(PIECES)).map(b"".join))
def test_any_bytes_are_read_or_refused(reader, data):
    attempt(reader, data)
