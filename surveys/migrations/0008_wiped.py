from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0007_webhooks"),
    ]

    operations = [
        migrations.AddField(
            model_name="instrument",
            name="wiped",
            field=models.BooleanField(default=False, editable=False),
        ),
    ]
