/** Reads the labels of an object out of its stored bytes, without decoding the rest of it. */
import { behindValue } from '../codec/json-scan.js';

const none: Readonly<Record<string, string>> = Object.freeze({});

/**
 * The labels of an object as this program writes it, in compact JSON. The key cannot stand in a string, where its quotes
 * would be escaped, nor deeper in the metadata, where no other field has it with an object.
 */
export function storedLabels(bytes: Uint8Array): Readonly<Record<string, string>> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = text.indexOf(metadataKey);
  if (start < 0) return none;
  const metadata = text.subarray(start + metadataKey.length - 1, behindValue(text, start + metadataKey.length - 1));
  const at = metadata.indexOf(labelsKey);
  if (at < 0) return none;
  const from = at + labelsKey.length - 1;
  const labels: unknown = JSON.parse(metadata.toString('utf8', from, behindValue(metadata, from)));
  return isLabels(labels) ? labels : none;
}

const metadataKey = '"metadata":{';
const labelsKey = '"labels":{';

const isLabels = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
