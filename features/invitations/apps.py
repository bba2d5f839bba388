from django.apps import AppConfig


class InvitationsConfig(AppConfig):
    name = "features.invitations"
    verbose_name = "Invited people, mails and letters"
    docs = "inviting.md"
