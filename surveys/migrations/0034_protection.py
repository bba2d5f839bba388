"""One dial of protection in the place of a budget. What was written before goes on setting each question itself."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("surveys", "0033_import_total_parts")]

    operations: ClassVar = [
        migrations.AddField(
            "survey", "protection", models.CharField(blank=True, default="", max_length=10)
        ),
        migrations.AlterField(
            "survey", "protection", models.CharField(blank=True, default="balanced", max_length=10)
        ),
        migrations.RemoveField("survey", "limit"),
        migrations.RenameField("survey", "limit_reason", "reason"),
        migrations.AlterField(
            "survey", "reason", models.CharField(blank=True, editable=False, max_length=500)
        ),
        migrations.AddField("question", "aim", models.CharField(blank=True, max_length=6)),
        migrations.AddField("question", "everyone", models.BooleanField(default=False)),
        migrations.AddField(
            "question", "expected_asked", models.PositiveSmallIntegerField(blank=True, null=True)
        ),
    ]
