/** The topology of endpoints, in the version with a map for it. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { endpointTopology } from '../../../../strategies/discovery.platform.io/endpointslices.js';

const same = (name: string): string => name;
const zone = 'topology.platform.io/zone';
const host = 'platform.io/hostname';

function toStored(endpoint: JsonObject): JsonObject {
  endpointTopology.toStored({ endpoints: [endpoint] }, same);
  return endpoint;
}

function fromStored(endpoint: JsonObject): JsonObject {
  endpointTopology.fromStored({ endpoints: [endpoint] }, same);
  return endpoint;
}

describe('the topology of endpoints', () => {
  it('gives its zone to a field, and back', () => {
    expect(toStored({ topology: { [zone]: 'a', rack: '7' } })).toEqual({
      zone: 'a',
      topology: { rack: '7' },
    });
    expect(fromStored({ zone: 'a', topology: { rack: '7' } })).toEqual({
      topology: { rack: '7', [zone]: 'a' },
    });
  });

  it('leaves out the host if it is the node', () => {
    expect(toStored({ nodeName: 'n1', topology: { [host]: 'n1' } })).toEqual({ nodeName: 'n1' });
    expect(fromStored({ nodeName: 'n1' })).toEqual({ nodeName: 'n1', topology: { [host]: 'n1' } });
  });

  it('puts its host into the field of the node, if that is absent', () => {
    expect(toStored({ topology: { [host]: 'n1', [zone]: 'a', rack: '7' } })).toEqual({
      nodeName: 'n1',
      zone: 'a',
      topology: { rack: '7' },
    });
  });

  it('keeps another host', () => {
    const stored = toStored({ nodeName: 'n1', topology: { [host]: 'n2' } });
    expect(stored).toEqual({ nodeName: 'n1', topology: { [host]: 'n2' } });
    expect(fromStored(stored)).toEqual({ nodeName: 'n1', topology: { [host]: 'n2' } });
  });

  it('does not change empty topologies, nor other values', () => {
    expect(toStored({ addresses: ['a'] })).toEqual({ addresses: ['a'] });
    expect(fromStored({ addresses: ['a'] })).toEqual({ addresses: ['a'] });
    expect(() => endpointTopology.toStored({ endpoints: null }, same)).not.toThrow();
    expect(() => endpointTopology.fromStored({}, same)).not.toThrow();
  });
});
