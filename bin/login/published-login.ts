/** Reads which identity provider a server trusts, from its Protected Resource Metadata (RFC 9728). */
import type { LoadedConnection } from '../../client/node/loaded.js';
import { NoServer } from '../objects/failure.js';
import { fieldsOf, listOf } from '../objects/printing.js';
import { explainServer } from './explain.js';

/** The provider that a server trusts, and how the server makes users from ID tokens. */
export interface PublishedLogin {
  readonly issuer: string;
  /** Other providers that the server trusts. It publishes nothing else about them. */
  readonly otherIssuers?: readonly string[];
  readonly clientId: string;
  /** Tokens must name one of them. Default: the client. */
  readonly audiences?: readonly string[];
  readonly signingAlgorithms: readonly string[];
  /** Absent if an expression computes the name. */
  readonly usernameClaim?: string;
  readonly usernamePrefix: string;
  /** Absent if the server takes no groups from tokens. */
  readonly groupsClaim?: string;
  readonly groupsPrefix: string;
  /** Claims that tokens must have. */
  readonly requiredClaims: readonly string[];
}

const path = '/.well-known/oauth-protected-resource';

/** Asks the server; returns `undefined` if it names no provider. Throws a `NoServer` if it cannot be asked. */
export async function readPublishedLogin(connection: LoadedConnection): Promise<PublishedLogin | undefined> {
  const url = connection.baseUrl.replace(/\/$/, '') + path;
  const answer = await connection.fetch(url).catch((error: unknown) => {
    throw explainServer(error, connection.baseUrl);
  });
  const text = await answer.text();
  if (answer.status === 200) return publishedIn(parse(text));
  // Servers without the document answer with one of these codes.
  if ([401, 403, 404].includes(answer.status)) return undefined;
  throw new NoServer(`${url} answers ${answer.status}`, 'Is this the URL of a Kindforge server?');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the document; returns `undefined` if it does not have these fields. */
function publishedIn(document: unknown): PublishedLogin | undefined {
  const [issuer, ...others] = listOf(fieldsOf(document).authorization_servers);
  const login = fieldsOf(fieldsOf(document).kindforge_login);
  const text = (name: string): string => {
    const value = login[name];
    return typeof value === 'string' ? value : '';
  };
  const texts = (name: string): readonly string[] => listOf(login[name]).map(String);
  if (typeof issuer !== 'string' || text('client_id') === '') return undefined;
  return {
    issuer,
    ...(others.length === 0 ? {} : { otherIssuers: others.map(String) }),
    clientId: text('client_id'),
    ...(texts('audiences').length === 0 ? {} : { audiences: texts('audiences') }),
    signingAlgorithms: texts('signing_algorithms'),
    ...(text('username_claim') === '' ? {} : { usernameClaim: text('username_claim') }),
    usernamePrefix: text('username_prefix'),
    ...(text('groups_claim') === '' ? {} : { groupsClaim: text('groups_claim') }),
    groupsPrefix: text('groups_prefix'),
    requiredClaims: texts('required_claims'),
  };
}
