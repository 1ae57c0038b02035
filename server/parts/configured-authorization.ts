/** Opens the authorizers of an `AuthorizationConfiguration`, and follows changes of its file. */
import { defineAuthorizationWebhook, defineInOrder } from '../../plugins/index.js';
import type { Authorizer } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import type { authorizationObserverOf } from '../../runtime/server/index.js';
import type { AuthorizationMode } from '../access-options.js';
import { fileError, OptionError } from '../option-error.js';
import type { OnProblem } from '../options.js';
import type { Reloaded } from '../transport/reloaded.js';
import { atMostEvery } from '../webhooks/line.js';
import type { OutgoingCalls } from '../webhooks/outgoing-calls.js';
import { openPoster } from '../webhooks/post-json.js';
import { followWebhookFile } from '../webhooks/webhook-file.js';
import type { AccessFileOptions } from './access-file.js';
import { type ConfiguredAuthorizer, readAuthorizationFile } from './authorization-file.js';
import type { ConfiguredWebhook } from './webhook-of-file.js';

const option = 'authorization.configFile';

/** The parts of a server that the authorizers of a file use. */
export interface ConfiguredAuthorizationParts extends AccessFileOptions {
  readonly names: Naming;
  readonly calls: OutgoingCalls;
  readonly onProblem: OnProblem;
  /** Returns the authorizer of a type other than `Webhook`; `undefined` if the start did not open it. */
  readonly authorizerOf: (type: AuthorizationMode) => Authorizer | undefined;
  readonly observer: ReturnType<typeof authorizationObserverOf>;
}

/** Authorizers in the order of the file. If a changed file cannot be used, the earlier ones stay in use. */
export interface ConfiguredAuthorization {
  readonly authorizer: Authorizer;
  readonly file: Reloaded<unknown>;
}

/** Throws an `OptionError` that names all mistakes in the file. */
export function openConfiguredAuthorization(
  configFile: string,
  parts: ConfiguredAuthorizationParts,
): ConfiguredAuthorization {
  const first = readAuthorizationFile(configFile, parts);
  if (!first.ok) throw fileError(option, first.problems);
  const wanted = first.configuration.flatMap(({ type }) => (type === 'Webhook' ? [] : [type]));
  let text = first.text;
  let current = openAll(first.configuration, parts);
  parts.observer.read(text);
  const replace = (): void => {
    const next = readAuthorizationFile(configFile, parts, wanted);
    if (next.ok && next.text === text) return;
    if (!next.ok) throw fileError(option, next.problems);
    const opened = openAll(next.configuration, parts);
    current.close();
    current = opened;
    text = next.text;
    parts.observer.read(text);
    parts.observer.reloaded(true);
  };
  return {
    authorizer: {
      name: 'configured',
      decide: (attributes) => current.authorizer.decide(attributes),
      rules: (user, namespace) =>
        current.authorizer.rules?.(user, namespace) ?? { resourceRules: [], nonResourceRules: [], incomplete: true },
    },
    file: {
      paths: [configFile],
      current: () => current,
      reload() {
        try {
          replace();
        } catch (error) {
          parts.observer.reloaded(false);
          throw error;
        }
      },
    },
  };
}

interface Opened {
  readonly authorizer: Authorizer;
  close(): void;
}

function openAll(configuration: readonly ConfiguredAuthorizer[], parts: ConfiguredAuthorizationParts): Opened {
  const closing: (() => void)[] = [];
  const close = (): void => {
    for (const one of closing) one();
  };
  try {
    const authorizers = configuration.map(({ type, name, webhook }) => {
      const opened = webhook ? openWebhook(name, webhook, parts) : undefined;
      if (opened) closing.push(opened.close);
      return parts.observer.counted(type, name, opened?.authorizer ?? knownOf(type, parts));
    });
    return { authorizer: defineInOrder(authorizers), close };
  } catch (error) {
    close();
    throw error;
  }
}

function knownOf(type: AuthorizationMode, { authorizerOf }: ConfiguredAuthorizationParts): Authorizer {
  const known = authorizerOf(type);
  if (known) return known;
  throw new OptionError(
    (nameOf) =>
      `${nameOf(option)}: authorizer type ${type} is not allowed if it was not enabled at initial server startup`,
  );
}

/** The shortest time between two reports, because an unreachable webhook fails at each request. */
const toldEveryMs = 60_000;

function openWebhook(
  name: string,
  { kubeConfigFile, timeoutMs, ...webhook }: ConfiguredWebhook,
  { names, calls, onProblem, observer }: ConfiguredAuthorizationParts,
): Opened {
  const tell = atMostEvery(toldEveryMs, onProblem);
  const poster = openPoster(calls, followWebhookFile(option, kubeConfigFile, onProblem), {
    timeoutMs,
    inReferenceWords: true,
  });
  const authorizer = defineAuthorizationWebhook({
    ...webhook,
    post: poster.post,
    group: names.rename('authorization.platform.io'),
    unsetTimes: calls.unsetTimes,
    observer: observer.webhook(name),
    onProblem: (problem) => tell(`the authorization webhook ${name} cannot be asked: ${problem}`),
  });
  return { authorizer, close: poster.close };
}
