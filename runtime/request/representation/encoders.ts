/** Encodes values for one answer: as JSON on one line or indented, as YAML, and the meta kinds as protobuf. */
import { encodeJson } from '../../codec/json.js';
import { encodeProtobufEvent } from '../../codec/protobuf/codec.js';
import { encodeMetaKind, metaListPieces } from '../../codec/protobuf/meta-kinds.js';
import { encodeYaml, encodeYamlItem } from '../../codec/yaml/encode.js';
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { frameLine } from './frames.js';
import { type ItemizedList, textPieces } from './list-segments.js';
import type { WatchFrameType } from './representation.js';

export interface Encoder {
  readonly key: string;
  readonly contentType: string;
  readonly streamContentType: string;
  readonly encode: (value: JsonObject) => Uint8Array;
  /** Returns a list with items, piece by piece. The bytes are the same as of `encode`. */
  readonly pieces: (list: ItemizedList) => IterableIterator<Uint8Array>;
  /** Returns a watch event around an object from `encode`. */
  readonly frame: (type: WatchFrameType, object: Uint8Array) => Uint8Array;
}

/** Returns the media type and framing of JSON or YAML. Streams are never YAML. */
const text = (contentType: string): Pick<Encoder, 'contentType' | 'streamContentType' | 'frame'> => ({
  contentType,
  streamContentType: contentType,
  frame: frameLine,
});

const json: Encoder = {
  key: 'json',
  ...text('application/json'),
  encode: (value) => Buffer.from(encodeJson(value)),
  pieces: (list) => textPieces({ whole: encodeJson, item: encodeJson, between: ',' }, list),
};

const encodePretty = (value: JsonValue): string => encodeJson(value, true);

/** The indentation of items in a list. */
const itemIndent = '\n    ';

const prettyJson: Encoder = {
  key: 'json pretty',
  ...text('application/json'),
  encode: (value) => Buffer.from(encodePretty(value)),
  pieces: (list) =>
    textPieces(
      {
        whole: encodePretty,
        item: (item) => encodePretty(item).replaceAll('\n', itemIndent),
        between: `,${itemIndent}`,
      },
      list,
    ),
};

const yaml: Encoder = {
  key: 'yaml',
  ...text('application/yaml'),
  encode: (value) => Buffer.from(encodeYaml(value)),
  pieces: (list) => textPieces({ whole: encodeYaml, item: encodeYamlItem, between: '' }, list),
};

/** Returns the encoder of a media type. The protobuf one only encodes the meta kinds. */
export function encoderFor(mediaType: string, pretty: boolean): Encoder {
  if (mediaType === 'application/yaml') return yaml;
  if (mediaType !== 'application/json') return protobuf(mediaType);
  return pretty ? prettyJson : json;
}

/** Returns the encoder of protobuf for its served media type. */
const protobuf = (mediaType: string): Encoder => ({
  key: 'protobuf',
  contentType: mediaType,
  streamContentType: `${mediaType};stream=watch`,
  encode: encodeMetaKind,
  pieces: ({ shell, entries, itemOf }) =>
    metaListPieces(shell, entries.length, (index) => {
      const entry = entries[index];
      return entry ? itemOf(entry) : {};
    }),
  frame: encodeProtobufEvent,
});
