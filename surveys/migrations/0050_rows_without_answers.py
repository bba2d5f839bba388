"""Rows without an answer to any question are counted as soon as they come, and not at the end of a file."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0049_values_of_answers")]

    operations = [
        migrations.AddField(
            "import", "left_out", models.PositiveIntegerField(default=0, editable=False)
        ),
        migrations.RemoveField("import", "hollow"),
    ]
