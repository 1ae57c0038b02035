#!/bin/sh
# Prints a token for kubectl. A real one gets it from a vault, or from a provider of identities.
cat <<CREDENTIAL
{
  "apiVersion": "client.authentication.k8s.io/v1",
  "kind": "ExecCredential",
  "status": { "token": "anna-token" }
}
CREDENTIAL
