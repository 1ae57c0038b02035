/** Encoders of values that are made for one answer: JSON in one line or indented, and YAML. */
import { encodeJson } from '../codec/json.js';
import { encodeYaml } from '../codec/yaml-encode.js';
import type { JsonObject } from '../contract/index.js';

/** One way to write values. */
export interface Encoder {
  readonly key: string;
  readonly contentType: string;
  encode(value: JsonObject): Uint8Array;
}

const json: Encoder = {
  key: 'json',
  contentType: 'application/json',
  encode: (value) => Buffer.from(encodeJson(value)),
};

const prettyJson: Encoder = {
  key: 'json pretty',
  contentType: 'application/json',
  encode: (value) => Buffer.from(encodeJson(value, true)),
};

const yaml: Encoder = {
  key: 'yaml',
  contentType: 'application/yaml',
  encode: (value) => Buffer.from(encodeYaml(value)),
};

/** The encoder of a media type. */
export function encoderFor(mediaType: string, pretty: boolean): Encoder {
  if (mediaType === 'application/yaml') return yaml;
  return pretty ? prettyJson : json;
}
