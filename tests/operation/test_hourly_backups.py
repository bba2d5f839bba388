"""Backups of an hourly timer: when one is made, and which ones stay."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from surveys.fieldwork.lifecycle import pause
from surveys.operation.backups import ENDINGS, NAME_FORMAT, forget, is_due
from tests.factories.surveys import create_published

pytestmark = pytest.mark.django_db
NOW = datetime(2027, 3, 31, 12, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


def create_backup(folder: Path, time: datetime) -> Path:
    """Create an empty file with the name of a backup that was made at this time."""
    file = folder / f"{time:{NAME_FORMAT}}{ENDINGS[connection.vendor]}"
    file.touch()
    return file


@pytest.mark.parametrize(("age", "due"), [(22 * HOUR, False), (23 * HOUR, True), (-HOUR, True)])
def test_backup_is_due_daily_without_an_open_survey(
    tmp_path: Path, age: timedelta, due: bool
) -> None:
    assert is_due(tmp_path)

    create_backup(tmp_path, NOW - age)

    assert is_due(tmp_path) == due


def test_backup_is_due_hourly_while_a_survey_is_open(tmp_path: Path) -> None:
    create_backup(tmp_path, NOW - HOUR)
    survey = create_published().survey
    assert is_due(tmp_path)

    pause(survey)

    assert not is_due(tmp_path)


def test_survey_before_its_opening_time_needs_no_hourly_backup(tmp_path: Path) -> None:
    create_backup(tmp_path, NOW - HOUR)
    survey = create_published().survey
    survey.opens = NOW + HOUR
    survey.save()
    assert not is_due(tmp_path)

    survey.opens = NOW - HOUR
    survey.closes = NOW
    survey.save()
    assert not is_due(tmp_path)


def test_hourly_and_daily_backups_stay(tmp_path: Path) -> None:
    times = [NOW - number * HOUR for number in range(24 * 20)]
    files = [create_backup(tmp_path, time) for time in times]
    own = tmp_path / f"candor-before-the-move{ENDINGS[connection.vendor]}"
    own.touch()

    assert forget(tmp_path, keep=14, hourly=24) == len(files) - 24 - 12

    kept = {file.name for file in tmp_path.iterdir()}
    assert {file.name for file in files[:24]} <= kept
    days = {name[:17] for name in kept} - {own.name[:17]}
    assert days == {f"candor-2027-03-{day}" for day in range(18, 32)}
    # Of a day that is over, the last backup stays.
    assert {name for name in kept if "03-20" in name} == {create_backup_name(20)}
    assert own.name in kept


def create_backup_name(day: int) -> str:
    return f"candor-2027-03-{day}-233000{ENDINGS[connection.vendor]}"


def test_newest_backups_stay_without_hourly_ones(tmp_path: Path) -> None:
    files = [create_backup(tmp_path, NOW - number * HOUR) for number in range(5)]

    assert forget(tmp_path, keep=2) == 3

    assert set(tmp_path.iterdir()) == set(files[:2])


def test_hourly_backups_need_a_number_of_daily_ones(tmp_path: Path) -> None:
    for options in ({"hourly": 24}, {"hourly": 0, "keep": 14}):
        with pytest.raises(CommandError, match="Give --hourly a number from 1 on, and --keep too"):
            call_command("backup", tmp_path, **options)
    assert list(tmp_path.iterdir()) == []
