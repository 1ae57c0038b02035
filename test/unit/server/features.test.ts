import { describe, expect, it } from 'vitest';
import { kubernetesNaming, platformNaming } from '../../../runtime/objects/names/naming.js';
import { readFeatures } from '../../../server/features.js';
import { moduleOf } from '../../support/modules.js';

const modules = [moduleOf('storage.platform.io', 'drivers', 'Driver', { featureGate: 'Drivers' })];

const features = (featureGates: string, runtimeConfig: string, naming = platformNaming) =>
  readFeatures({ featureGates, runtimeConfig }, modules, naming);

describe('features', () => {
  it('accepts groups under the served names, and gates of definitions', () => {
    expect(features('', 'storage.platform.io/v1=false')).toMatchObject({ notices: [] });
    expect(features('', 'storage.k8s.io/v1=false', kubernetesNaming)).toMatchObject({});
    expect(features('Drivers=true', '').featureEnabled('Drivers')).toBe(true);
  });

  it('accepts switches as an object', () => {
    const { featureEnabled, runtimeConfig } = readFeatures(
      { featureGates: { Drivers: true }, runtimeConfig: { 'api/alpha': true } },
      modules,
      platformNaming,
    );
    expect(featureEnabled('Drivers')).toBe(true);
    expect(runtimeConfig.classes.get('api/alpha')).toBe(true);
  });

  it.each([
    [['', 'storage.k8s.io/v1=false'], /^runtimeConfig: unknown api groups storage\.k8s\.io/],
    [['', 'api/most'], /^runtimeConfig: invalid key api\/most; /],
    [['Driver=true', ''], /^featureGates: unrecognized feature gate: Driver; did you mean `Drivers`\?$/],
  ] as const)('refuses %j, and names the wrong option', ([gates, config], message) =>
    expect(() => features(gates, config)).toThrow(message),
  );

  it('takes the version of the image policy, which has no resources', () => {
    expect(features('', 'imagepolicy.platform.io/v1alpha1').runtimeConfig.versions.size).toBe(0);
    expect(features('', 'imagepolicy.k8s.io/v1alpha1=true', kubernetesNaming).runtimeConfig.versions.size).toBe(0);
    expect(() => features('', 'imagepolicy.platform.io/v1')).toThrow(/unknown api groups imagepolicy/);
    expect(() => features('', 'imagepolicy.platform.io/v1alpha1', kubernetesNaming)).toThrow(/unknown api groups/);
  });

  it('accepts groups under no other names than the served ones', () => {
    const refused = () => features('', 'storage.platform.io/v1', kubernetesNaming);
    expect(refused).toThrow(/^runtimeConfig: unknown api groups storage/);
  });
});
