/**
 * Decodes YAML bodies; what does so is loaded with the first one, as most starts are made for clients that send none.
 */
import type { Decoded } from '../codec/json.js';

type Decode = (body: Uint8Array) => Decoded;

let loading: Promise<Decode> | undefined;
let loaded: Decode | undefined;

/** Decodes a body as `decodeYaml` does. */
export async function decodeYamlBody(body: Uint8Array): Promise<Decoded> {
  loading ??= import('../codec/yaml/yaml.js').then(({ decodeYaml }) => decodeYaml);
  loaded = await loading;
  return loaded(body);
}

/** The same for a body that `decodeYamlBody` has read before, at once. */
export function decodeYamlAgain(body: Uint8Array): Decoded {
  if (!loaded) throw new Error('nothing has been read as YAML yet');
  return loaded(body);
}
