from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0021_languages"),
    ]

    operations = [
        migrations.AddField(
            model_name="survey",
            name="asks_consent",
            field=models.BooleanField(
                default=False, verbose_name="ask people to agree before they start"
            ),
        ),
        migrations.AddField(
            model_name="survey",
            name="after_sending",
            field=models.TextField(
                blank=True, default="", max_length=5000, verbose_name="text after sending"
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="survey",
            name="after_declining",
            field=models.TextField(
                blank=True,
                default="",
                max_length=5000,
                verbose_name="text for those who do not take part",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="survey",
            name="help_lines",
            field=models.TextField(blank=True, default="", max_length=3000),
            preserve_default=False,
        ),
    ]
