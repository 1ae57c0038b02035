/** Reads the flags of `kindforge serve` about how certificate requests are signed. */
import type { SigningOption } from '../../server/parts/signing-option.js';
import { readCertificateLife } from '../../server/text/durations.js';
import type { CertificateFiles } from '../../server/transport/tls-option.js';
import { FlagError } from './flag-error.js';
import type { ServeFlags } from './serve-flags.js';
import { takeValue } from './take-value.js';

/** Throws a `FlagError` that says which flag is wrong and what it takes. */
export function readSigning(flags: ServeFlags): SigningOption {
  const longestMs = takeValue('--cluster-signing-duration', readCertificateLife(flags.clusterSigningDuration));
  return {
    longestMs,
    authority: filesOf('', flags.clusterSigningCertFile, flags.clusterSigningKeyFile),
    signers: {
      apiserverClient: filesOf(
        'apiserver-client-',
        flags.clusterSigningApiserverClientCertFile,
        flags.clusterSigningApiserverClientKeyFile,
      ),
      apiserverClientAgent: filesOf(
        'apiserver-client-agent-',
        flags.clusterSigningApiserverClientAgentCertFile,
        flags.clusterSigningApiserverClientAgentKeyFile,
      ),
      agentServing: filesOf(
        'agent-serving-',
        flags.clusterSigningAgentServingCertFile,
        flags.clusterSigningAgentServingKeyFile,
      ),
      legacyUnknown: filesOf(
        'legacy-unknown-',
        flags.clusterSigningLegacyUnknownCertFile,
        flags.clusterSigningLegacyUnknownKeyFile,
      ),
    },
  };
}

/** Certificate and key come together. */
function filesOf(
  signer: string,
  certFile: string | undefined,
  keyFile: string | undefined,
): CertificateFiles | undefined {
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile === undefined && keyFile === undefined) return undefined;
  const [given, missing] = certFile === undefined ? ['key', 'cert'] : ['cert', 'key'];
  const flag = (what: string | undefined): string => `--cluster-signing-${signer}${what}-file`;
  throw new FlagError(`${flag(given)} needs ${flag(missing)}; give both`);
}
