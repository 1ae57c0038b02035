/** Watch events as bytes: what a watcher sees of a change, made once for all watchers that see the same. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, Entry, StoreEvent } from '../../../../../runtime/contract/index.js';
import { parseLabelSelector } from '../../../../../runtime/objects/selectors/labels.js';
import { errorFrame, eventFrame, seenAs, waitingFrame } from '../../../../../runtime/request/representation/frames.js';
import { jsonRepresentation } from '../../../../../runtime/request/representation/json.js';
import type { WatchEventType } from '../../../../../runtime/request/representation/representation.js';
import { matchEverything, type Selection, selectionOf } from '../../../../../runtime/request/selection.js';
import { attributesOf, encodeAnswer } from '../../../../../runtime/resource/encoding.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import { widget, widgets } from '../../../../support/widgets.js';

const resource = serveResource(widgets);

function entryOf(object: ApiObject, revision: number): Entry {
  const stamped = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
  const bytes = Buffer.from(encodeAnswer(resource, stamped));
  return { key: 'example.com/widgets/default/a', revision, bytes, attributes: attributesOf(resource, object) };
}

const inTier = (tier: string): ApiObject => widget('a', { color: 'red' }, { labels: { tier } });
const web = entryOf(inTier('web'), 4);

const added: StoreEvent = { type: 'ADDED', revision: 4, entry: web };
const changed = (from: string, to: string): StoreEvent => ({
  type: 'MODIFIED',
  revision: 5,
  entry: entryOf(inTier(to), 5),
  previous: entryOf(inTier(from), 4),
});
const deleted: StoreEvent = { type: 'DELETED', revision: 5, entry: entryOf(inTier('web'), 5), previous: web };

function selected(labels: string): Selection {
  const selector = parseLabelSelector(labels);
  if (!selector.ok) throw new Error(selector.failure.message);
  return selectionOf(selector.value, { everything: true, terms: [], matches: () => true });
}

const textOf = (frame: Uint8Array): string => Buffer.from(frame).toString();
const frameOf = (event: StoreEvent, type: WatchEventType, first = false): Uint8Array =>
  eventFrame(resource, jsonRepresentation, event, type, first);

describe('a watcher of tier=web gets', () => {
  it.each<[string, StoreEvent, WatchEventType | undefined]>([
    ['an object that comes', added, 'ADDED'],
    ['a change within', changed('web', 'web'), 'MODIFIED'],
    ['a change that brings it in', changed('db', 'web'), 'ADDED'],
    ['a change that takes it out', changed('web', 'db'), 'DELETED'],
    ['a change without', changed('db', 'db'), undefined],
    ['an object that goes', deleted, 'DELETED'],
    ['one that comes without', { ...added, entry: entryOf(inTier('db'), 4) }, undefined],
  ])('of %s', (_what, event, type) => {
    expect(seenAs(event, selected('tier=web'))).toBe(type);
  });

  it('is every event unchanged without a selector', () => {
    expect([added, changed('web', 'db'), deleted].map((event) => seenAs(event, matchEverything))).toEqual([
      'ADDED',
      'MODIFIED',
      'DELETED',
    ]);
  });
});

describe('the frame of an event', () => {
  it('is one line around the stored object', () => {
    expect(textOf(frameOf(added, 'ADDED'))).toBe(`{"type":"ADDED","object":${textOf(web.bytes)}}\n`);
    expect(textOf(frameOf(deleted, 'DELETED'))).toBe(`{"type":"DELETED","object":${textOf(deleted.entry.bytes)}}\n`);
  });

  it('shows an object that left the selection in its old state, at the revision of the change', () => {
    const { object, type } = JSON.parse(textOf(frameOf(changed('web', 'db'), 'DELETED')));
    expect(type).toBe('DELETED');
    expect(object).toEqual(widget('a', { color: 'red' }, { labels: { tier: 'web' }, resourceVersion: '5' }));
  });

  it('is made once for all who see the same', () => {
    const event = changed('web', 'web');
    expect(frameOf(event, 'MODIFIED')).toBe(frameOf(event, 'MODIFIED'));
    expect(frameOf(event, 'ADDED')).not.toBe(frameOf(event, 'MODIFIED'));
    const other = eventFrame(resource, { ...jsonRepresentation, key: 'other' }, event, 'MODIFIED', false);
    expect(other).not.toBe(frameOf(event, 'MODIFIED'));
    const shown = frameOf(event, 'MODIFIED');
    expect(frameOf(event, 'MODIFIED', true)).not.toBe(shown);
    expect(frameOf(event, 'MODIFIED')).toBe(shown);
    expect(frameOf(changed('web', 'web'), 'MODIFIED')).not.toBe(frameOf(event, 'MODIFIED'));
  });

  it('is made once for all later readers, whatever was sent in between', () => {
    const [first, second] = [changed('web', 'web'), changed('web', 'web')];
    const later = (event: StoreEvent): Uint8Array =>
      waitingFrame(resource, jsonRepresentation, event, 'MODIFIED', false);
    const shown = later(first);
    expect(later(second)).not.toBe(shown);
    expect(later(first)).toBe(shown);
  });

  it('is made again if the form shows ages, and another second has begun', () => {
    let second = 1;
    const aging = { ...jsonRepresentation, key: 'aging', second: () => second };
    const event = changed('web', 'web');
    const shown = eventFrame(resource, aging, event, 'MODIFIED', false);
    expect(eventFrame(resource, aging, event, 'MODIFIED', false)).toBe(shown);
    second = 2;
    expect(eventFrame(resource, aging, event, 'MODIFIED', false)).not.toBe(shown);
  });
});

describe('other frames', () => {
  it('report how far all changes have been sent', () => {
    const object = jsonRepresentation.bookmark(resource, 7, { 'platform.io/end': 'true' });
    expect(textOf(jsonRepresentation.frame('BOOKMARK', object))).toMatch(/}\n$/);
    expect(JSON.parse(textOf(jsonRepresentation.frame('BOOKMARK', object)))).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'Widget',
        apiVersion: 'example.com/v1',
        metadata: {
          resourceVersion: '7',
          creationTimestamp: null,
          annotations: { 'platform.io/end': 'true' },
        },
      },
    });
  });

  it('end a watch with a Status', () => {
    expect(textOf(errorFrame(jsonRepresentation, { kind: 'Status', code: 410 }))).toBe(
      '{"type":"ERROR","object":{"kind":"Status","code":410}}\n',
    );
  });
});
