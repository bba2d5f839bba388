from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0024_sender_and_data_protection"),
    ]

    operations = [
        migrations.AddField(
            model_name="question",
            name="grid",
            field=models.CharField(blank=True, max_length=500, verbose_name="heading of the grid"),
        ),
    ]
