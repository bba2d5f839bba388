from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0022_declining_and_ends"),
    ]

    operations = [
        migrations.AddField(
            model_name="question",
            name="when",
            field=models.JSONField(blank=True, default=None, null=True, verbose_name="condition"),
        ),
        migrations.AddField(
            model_name="question",
            name="when_section",
            field=models.BooleanField(
                default=False, verbose_name="condition for the whole section"
            ),
        ),
        migrations.AddField(
            model_name="survey",
            name="section_pages",
            field=models.BooleanField(
                default=False, verbose_name="show the questions of a section on one page"
            ),
        ),
    ]
