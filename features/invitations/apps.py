from django.apps import AppConfig


class InvitationsConfig(AppConfig):
    name = "features.invitations"
