from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="question",
            name="harmless",
            field=models.CharField(
                blank=True,
                help_text="Asked where an unrelated question is answered by hand.",
                max_length=500,
                verbose_name="harmless question",
            ),
        ),
        migrations.AddField(
            model_name="question",
            name="mode",
            field=models.CharField(
                choices=[
                    ("automatic", "Automatic"),
                    ("spinner", "Spinner"),
                    ("by-hand", "By hand"),
                ],
                default="automatic",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="survey",
            name="comprehension",
            field=models.BooleanField(
                default=False, verbose_name="ask whether the explanation was understood"
            ),
        ),
        migrations.AddField(
            model_name="survey",
            name="language",
            field=models.CharField(
                choices=[
                    ("en", "English"),
                    ("de", "Deutsch"),
                    ("fr", "Français"),
                    ("es", "Español"),
                    ("ar", "العربية"),
                ],
                default="en",
                max_length=5,
            ),
        ),
    ]
