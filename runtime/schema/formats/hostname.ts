/** Host names, of letters and symbols of any script. */
import { byteLength } from '../../objects/printing.js';

const maxBytes = 255;
const maxLabelBytes = 63;
const char = '[a-zA-Z0-9\\p{S}\\p{L}]';
const single = new RegExp(`^${char}-?${char}{0,62}$`, 'u');
const label = new RegExp(`^${char}(?:[a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}${char})?$`, 'u');
const topLevel = /^[a-zA-Z\p{L}]{2,63}$/u;

/**
 * A name of dot-separated labels (RFC 1034, with a digit first as RFC 1123 allows) that ends in a label of two letters
 * or more, or a single label with at most one dash, right after its first character.
 */
export function isHostname(text: string): boolean {
  if (text.length > maxBytes || byteLength(text) > maxBytes) return false;
  const labels = text.split('.');
  if (labels.some((part) => byteLength(part) > maxLabelBytes)) return false;
  const last = labels.pop() ?? '';
  if (labels.length === 0) return single.test(last);
  return topLevel.test(last) && labels.every((part) => label.test(part));
}
