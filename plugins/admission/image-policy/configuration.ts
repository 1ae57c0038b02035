/** The configuration of ImagePolicyWebhook: where the webhook is, and how long its answers count. */
import { checked, fields, optional, type Schema, text, truth, whole } from '../configuration/schema.js';
import type { ConfigurationDefinition } from '../define-admission-plugin.js';
import type { WebhookCalls } from '../webhooks/calls.js';

export interface ImagePolicyConfiguration {
  readonly imagePolicy: {
    /** Path of a kubeconfig: the address of the webhook, the authority to trust, and the credentials of this server. */
    readonly kubeConfigFile: string;
    /** Seconds for which an image that was allowed stays so. */
    readonly allowTTL: number;
    /** The same for one that was not. */
    readonly denyTTL: number;
    /** Milliseconds before a call that has failed is tried again. */
    readonly retryBackoff: number;
    /** Whether pods pass where the webhook cannot be asked. */
    readonly defaultAllow: boolean;
  };
}

const mostSeconds = 30 * 60;
const mostBackoffMs = 5 * 60 * 1000;

/** A time; 0 is as good as nothing, and -1 is none at all. */
function time(most: number, usual: number): Schema<number> {
  const given = optional(whole({ least: -1, most }), 0);
  return (value, path, refuse) => {
    const read = given(value, path, refuse);
    return read && { value: read.value === 0 ? usual : Math.max(0, read.value) };
  };
}

/** The format has neither `apiVersion` nor `kind`. */
export function imagePolicyConfiguration({
  checkConnection,
}: Pick<WebhookCalls, 'checkConnection'>): ConfigurationDefinition<ImagePolicyConfiguration> {
  const file = checked(text, (path, at, refuse) => {
    const problem = checkConnection(path);
    if (problem !== undefined) refuse(at, `${path} cannot be used: ${problem}`);
  });
  return {
    apiVersions: [],
    required: true,
    schema: fields({
      imagePolicy: fields({
        kubeConfigFile: file,
        allowTTL: time(mostSeconds, 5 * 60),
        denyTTL: time(mostSeconds, 30),
        retryBackoff: time(mostBackoffMs, 500),
        defaultAllow: optional(truth, false),
      }),
    }),
  };
}
