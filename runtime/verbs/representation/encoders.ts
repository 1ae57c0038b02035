/**
 * Encoders of values that are made for one answer: JSON in one line or indented, YAML, and protobuf of the meta
 * kinds.
 */
import { encodeJson } from '../../codec/json.js';
import { encodeProtobufEvent } from '../../codec/protobuf/codec.js';
import { encodeMetaKind } from '../../codec/protobuf/meta-kinds.js';
import { encodeYaml } from '../../codec/yaml/encode.js';
import type { JsonObject } from '../../contract/index.js';
import { frameLine } from '../watch/frames.js';
import type { WatchFrameType } from './representation.js';

/** One way to write values. */
export interface Encoder {
  readonly key: string;
  readonly contentType: string;
  readonly streamContentType: string;
  readonly encode: (value: JsonObject) => Uint8Array;
  /** One event of a watch around its object, as `encode` wrote that. */
  readonly frame: (type: WatchFrameType, object: Uint8Array) => Uint8Array;
}

/** Media type and framing of JSON; of YAML as well, which no stream is sent in. */
const text = (contentType: string): Pick<Encoder, 'contentType' | 'streamContentType' | 'frame'> => ({
  contentType,
  streamContentType: contentType,
  frame: frameLine,
});

const json: Encoder = {
  key: 'json',
  ...text('application/json'),
  encode: (value) => Buffer.from(encodeJson(value)),
};

const prettyJson: Encoder = {
  key: 'json pretty',
  ...text('application/json'),
  encode: (value) => Buffer.from(encodeJson(value, true)),
};

const yaml: Encoder = {
  key: 'yaml',
  ...text('application/yaml'),
  encode: (value) => Buffer.from(encodeYaml(value)),
};

/** Any other media type is that of protobuf, under the name that the server's naming gives it. */
const protobuf = (mediaType: string): Encoder => ({
  key: 'protobuf',
  contentType: mediaType,
  streamContentType: `${mediaType};stream=watch`,
  encode: encodeMetaKind,
  frame: encodeProtobufEvent,
});

/** The encoder of a media type. In protobuf it encodes the meta kinds alone; see `representation-protobuf.ts`. */
export function encoderFor(mediaType: string, pretty: boolean): Encoder {
  if (mediaType === 'application/yaml') return yaml;
  if (mediaType !== 'application/json') return protobuf(mediaType);
  return pretty ? prettyJson : json;
}
