"""A setting is a row, a column and a migration; a page whose form is one loop shows it of itself.

A motto that respondents read, a switch and a note to a question are added in a copy of the program, and the files that
this touches are counted. Then test_settings.py sends them every way there, and setting_program.py looks at the rest.
"""

from pathlib import Path

from tests.whole_site.examples.tree import Tree

FILES = 3  # that more settings touch; may only fall
MODELS, ROWS = "surveys/models/surveys.py", "surveys/definition/fields.py"


def test_one_more_setting_touches_so_many_files_and_goes_every_way(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.put(
        MODELS,
        after="    after_sending = models.TextField(blank=True, max_length=5000)\n",
        text="    motto = models.CharField(max_length=40, blank=True)\n    loud = models.BooleanField(default=False)\n",
    )
    tree.put(
        MODELS,
        after="    help = models.CharField(max_length=500, blank=True)\n",
        text="    note = models.CharField(max_length=60, blank=True)\n",
    )
    tree.put(
        ROWS,
        before='text(\n        "after_sending",',
        text='text("motto", "motto", "One line that people remember."),\n'
        '    Field("loud", "loud motto", "In capitals.", since=4),\n',
    )
    tree.put(
        ROWS,
        before='    text("help", "help text",',
        text='    text("note", "note", "A word more."),\n',
    )
    tree.migrate("toy_settings")
    tree.put(
        "templates/workspace/question_form.html",
        before="  </form>",
        text="  {{ form.note.as_field_group }}\n",
    )
    own = "{% if paper.other_settings.loud %}{{ paper.other_settings.motto|upper }}{% endif %}"
    tree.put(
        "templates/respondent/parts/sent.html",
        before='  {% include "respondent/parts/ends.html"',
        text=own,
    )
    touched = tree.touched()
    assert len(touched) == FILES, "\n".join(touched)
    tree.test("tests/definition/test_settings.py", "tests/whole_site/examples/setting_program.py")
