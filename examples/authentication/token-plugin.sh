#!/bin/sh
# Prints a token for kubectl. A real program gets it from a vault, or from an identity provider.
cat <<CREDENTIAL
{
  "apiVersion": "client.authentication.k8s.io/v1",
  "kind": "ExecCredential",
  "status": { "token": "anna-token" }
}
CREDENTIAL
