"""What all scripts share: a client of the server that the first argument names, and checks of what is refused."""

import json
import sys

from kubernetes import client

NAMESPACE = "default"


def connect():
    """An API client of the server."""
    configuration = client.Configuration()
    configuration.host = sys.argv[1]
    return client.ApiClient(configuration)


def refused(code, reason, request):
    """Checks that a request is refused with this code and reason; returns the Status."""
    try:
        answer = request()
    except client.exceptions.ApiException as error:
        status = json.loads(error.body)
        assert (error.status, status["reason"]) == (code, reason), (error.status, status)
        return status
    raise AssertionError(f"not refused: {answer}")
