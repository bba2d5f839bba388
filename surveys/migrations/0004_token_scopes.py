from django.db import migrations, models


def keep_what_they_could(apps, schema_editor):
    """Tokens from before there were scopes could read reports and rows, and go on doing so."""
    apps.get_model("surveys", "AccessToken").objects.update(scopes=["reports", "rows"])


class Migration(migrations.Migration):
    dependencies = [("surveys", "0003_teams_budgets_and_launch")]

    operations = [
        migrations.AddField(
            model_name="accesstoken",
            name="expires",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="accesstoken",
            name="last_used",
            field=models.DateField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="accesstoken",
            name="scopes",
            field=models.JSONField(default=list),
        ),
        migrations.RunPython(keep_what_they_could, migrations.RunPython.noop),
    ]
