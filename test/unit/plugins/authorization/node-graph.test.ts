import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type ClaimedVolume,
  NodeGraph,
  type OwnedResource,
  type PlacedPod,
} from '../../../../plugins/authorization/node-graph.js';

const few = (...words: string[]) => fc.constantFrom(...words);
const referred = fc.constantFrom<OwnedResource>('secrets', 'configmaps', 'persistentvolumeclaims');
const pods = fc.record({
  node: few('a', 'b'),
  references: fc.array(fc.tuple(referred, few('x', 'y')), { maxLength: 4 }),
});
const volumes = fc.record({
  claim: fc.record({ namespace: few('n', 'm'), name: few('x', 'y') }),
  secrets: fc.array(fc.record({ namespace: few('n', 'm'), name: few('x', 'y') }), { maxLength: 2 }),
});
const gone = { nil: undefined, freq: 3 };
const changes = fc.array(
  fc.oneof(
    fc.record({ pod: few('n/1', 'n/2', 'm/1'), to: fc.option(pods, gone) }),
    fc.record({ volume: few('v', 'w'), to: fc.option(volumes, gone) }),
    fc.record({ attachment: few('i', 'j'), to: fc.option(few('a', 'b'), gone) }),
  ),
  { maxLength: 20 },
);

/** Returns everything that the graph answers about a few names. */
const answersOf = (graph: NodeGraph): readonly string[] =>
  (['secrets', 'configmaps', 'persistentvolumeclaims', 'persistentvolumes', 'volumeattachments'] as const).flatMap(
    (resource) =>
      ['a', 'b'].flatMap((node) =>
        ['', 'n', 'm'].flatMap((namespace) =>
          ['x', 'y', 'v', 'w', 'i', 'j'].flatMap((name) =>
            graph.belongs(node, resource, namespace, name) ? [`${node}: ${resource} ${namespace}/${name}`] : [],
          ),
        ),
      ),
  );

function setPod(graph: NodeGraph, place: string, pod: PlacedPod | undefined): void {
  const [namespace = '', name = ''] = place.split('/');
  graph.setPod(namespace, name, pod);
}

it('equals the graph of the last state after any changes', () => {
  fc.assert(
    fc.property(changes, (list) => {
      const graph = new NodeGraph();
      const last = {
        pods: new Map<string, PlacedPod | undefined>(),
        volumes: new Map<string, ClaimedVolume | undefined>(),
        attachments: new Map<string, string | undefined>(),
      };
      for (const change of list) {
        if ('pod' in change) {
          setPod(graph, change.pod, change.to);
          last.pods.set(change.pod, change.to);
        } else if ('volume' in change) {
          graph.setVolume(change.volume, change.to);
          last.volumes.set(change.volume, change.to);
        } else {
          graph.setAttachment(change.attachment, change.to);
          last.attachments.set(change.attachment, change.to);
        }
      }
      const fresh = new NodeGraph();
      for (const [place, pod] of last.pods) setPod(fresh, place, pod);
      for (const [name, volume] of last.volumes) fresh.setVolume(name, volume);
      for (const [name, node] of last.attachments) fresh.setAttachment(name, node);
      expect(answersOf(graph)).toEqual(answersOf(fresh));
    }),
  );
});
