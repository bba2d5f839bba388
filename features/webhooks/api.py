"""A survey's webhooks by program."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from features.webhooks import subscriptions
from features.webhooks.addresses import LONGEST
from features.webhooks.signatures import secret
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.models import Delivery, Occasion, Webhook
from surveys.web.api.fields import Choice, Items, Moment, Strict, Text
from surveys.web.api.views.base import View, created, errors, valid


class WebhookInputSerializer(Strict):
    url = Text(
        required=True,
        allow_blank=False,
        max_length=LONGEST,
        help_text="https, and public on the internet",
    )
    events = Items(child=Choice(Occasion.choices), min_length=1, max_length=len(Occasion))


class WebhookSerializer(serializers.ModelSerializer):
    events = Items(child=Choice(Occasion.choices))
    name = serializers.CharField(help_text="who added it")

    class Meta:
        model = Webhook
        fields = ["id", "url", "events", "name", "created"]
        read_only_fields = fields


class WebhookDetailSerializer(WebhookSerializer):
    secret = serializers.SerializerMethodField(help_text="for checking signatures")

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]
        read_only_fields = fields

    def get_secret(self, webhook: Webhook) -> str:
        return secret(webhook)


class DeliverySerializer(serializers.ModelSerializer):
    outcome = serializers.CharField(
        help_text="of the last attempt: a status, for example 204, or why there was none"
    )
    due = Moment(help_text="of the next attempt, while the message waits")

    class Meta:
        model = Delivery
        fields = ["id", "event", "created", "state", "attempts", "outcome", "due"]
        read_only_fields = fields


class OfWebhooks(View):
    """Reading takes the scope of writing too: it shows addresses and secrets."""

    reading = writing = "write"

    def webhook_of(self, request: Request, slug: str, webhook: UUID) -> Webhook:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        row: Webhook = get_object_or_404(survey.webhooks, pk=webhook)
        return row


class Webhooks(OfWebhooks):
    @extend_schema(
        summary="The survey's webhooks",
        operation_id="surveys_webhooks_list",
        responses=errors() | {200: WebhookSerializer(many=True)},
    )
    def get(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        return Response(WebhookSerializer(survey.webhooks.all(), many=True).data)

    @extend_schema(
        summary="Add a webhook: an address that gets a message when something happens to the survey",
        description="Messages name the survey, never an answer. docs/webhooks.md says how to check them.",
        request=WebhookInputSerializer,
        responses=errors(409, 415, 422) | {201: WebhookDetailSerializer},
        examples=[
            OpenApiExample(
                "Get a message at the end",
                {
                    "url": "https://example.org/hook",
                    "events": ["survey.closed", "survey.target_reached"],
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        made = subscriptions.add(
            survey=survey, by=request.user, **valid(WebhookInputSerializer, request)
        )
        return created(WebhookDetailSerializer(made).data, "webhook", slug, made.pk)


class WebhookDetail(OfWebhooks):
    @extend_schema(
        summary="One webhook, with its secret", responses=errors() | {200: WebhookDetailSerializer}
    )
    def get(self, request: Request, slug: str, webhook: UUID) -> Response:
        return Response(WebhookDetailSerializer(self.webhook_of(request, slug, webhook)).data)

    @extend_schema(
        summary="Remove a webhook and its waiting messages", responses=errors() | {204: None}
    )
    def delete(self, request: Request, slug: str, webhook: UUID) -> Response:
        subscriptions.remove(webhook=self.webhook_of(request, slug, webhook), by=request.user)
        return Response(status=204)


class Ping(OfWebhooks):
    @extend_schema(
        summary="Send a ping now, and see the result",
        request=None,
        responses=errors(409) | {200: DeliverySerializer},
    )
    def post(self, request: Request, slug: str, webhook: UUID) -> Response:
        made = subscriptions.ping(webhook=self.webhook_of(request, slug, webhook), by=request.user)
        return Response(DeliverySerializer(made).data)


class Deliveries(OfWebhooks):
    @extend_schema(
        summary="The last messages to a webhook, newest first",
        description=f"At most {subscriptions.SHOWN}, of the last 30 days.",
        responses=errors() | {200: DeliverySerializer(many=True)},
    )
    def get(self, request: Request, slug: str, webhook: UUID) -> Response:
        deliveries = self.webhook_of(request, slug, webhook).deliveries.all()[: subscriptions.SHOWN]
        return Response(DeliverySerializer(deliveries, many=True).data)


class Again(OfWebhooks):
    @extend_schema(
        summary="Send a message again, now",
        request=None,
        responses=errors(409) | {200: DeliverySerializer},
    )
    def post(self, request: Request, slug: str, webhook: UUID, delivery: UUID) -> Response:
        again: Any = get_object_or_404(
            self.webhook_of(request, slug, webhook).deliveries, pk=delivery
        )
        return Response(
            DeliverySerializer(subscriptions.again(delivery=again, by=request.user)).data
        )
