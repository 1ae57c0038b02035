/** Metrics of admission and expressions, and of single kinds. */
import {
  admissionSeconds,
  betaFrom,
  counter,
  gauge,
  histogram,
  type MetricGroup,
  usualSeconds,
  webhookSeconds,
} from './metric.js';

const check = ['enforcement_action', 'policy', 'policy_binding', 'state', 'validation_result'];

const mutation = { labels: ['error_type', 'policy', 'policy_binding'], introduced: '1.33' };
const policySeconds = [0.0000005, 0.001, 0.01, 0.1, 1];

/** Labels of checks of pods. Earlier releases had another label for OpenShift, which stays empty here. */
const judged = ['decision', 'mode', 'policy_level', 'policy_version', 'request_operation', 'resource', 'subresource'];

export const admission = {
  heading: 'Admission and expressions',
  metrics: {
    steps: histogram(
      'apiserver_admission_step_admission_duration_seconds',
      'Seconds of a step of admission: all plugins that may change a write, or all that may only refuse it.',
      admissionSeconds,
      { labels: ['operation', 'rejected', 'type'], stability: 'STABLE' },
    ),
    plugins: histogram(
      'apiserver_admission_controller_admission_duration_seconds',
      'Seconds of one admission plugin.',
      admissionSeconds,
      { labels: ['name', 'operation', 'rejected', 'type'], stability: 'STABLE' },
    ),
    webhooks: histogram(
      'apiserver_admission_webhook_admission_duration_seconds',
      'Seconds in which one admission webhook was asked.',
      webhookSeconds,
      { labels: ['name', 'operation', 'rejected', 'type'], stability: 'STABLE' },
    ),
    webhookRequests: counter(
      'apiserver_admission_webhook_request_total',
      'Calls of admission webhooks by the code of the result; codes above 600 count as 600.',
      { labels: ['code', 'name', 'operation', 'rejected', 'type'] },
    ),
    webhookRejections: counter(
      'apiserver_admission_webhook_rejection_count',
      'Writes refused by an admission webhook, or because it failed.',
      { labels: ['error_type', 'name', 'operation', 'rejection_code', 'type'] },
    ),
    webhookFailOpen: counter(
      'apiserver_admission_webhook_fail_open_count',
      'Failures of admission webhooks for which no write was refused.',
      { labels: ['name', 'type'] },
    ),
    circuits: gauge(
      'kindforge_webhook_circuit_state',
      'Whether calls to a webhook or identity provider go out: 0 if so, 1 if they are stopped because it has not answered in time, 0.5 while one call tries it again.',
      { labels: ['target'], together: 'greatest' },
    ),
    conditionErrors: counter(
      'apiserver_admission_admission_match_condition_evaluation_errors_total',
      'Conditions of admission webhooks and policies that could not be evaluated.',
      { labels: ['name', 'type'] },
    ),
    policyChecks: counter(
      'apiserver_validating_admission_policy_check_total',
      'Evaluations of admission policies by enforcement action and result.',
      { labels: check, ...betaFrom('1.31') },
    ),
    policySeconds: histogram(
      'apiserver_validating_admission_policy_check_duration_seconds',
      'Seconds of an evaluation of an admission policy.',
      policySeconds,
      { labels: check, ...betaFrom('1.31') },
    ),
    mutationChecks: counter(
      'apiserver_mutating_admission_policy_check_total',
      'Uses of mutating admission policies by result: no_error or invalid_error.',
      mutation,
    ),
    mutationSeconds: histogram(
      'apiserver_mutating_admission_policy_check_duration_seconds',
      'Seconds of a use of a mutating admission policy.',
      policySeconds,
      mutation,
    ),
    podSecurityJudgements: counter(
      'pod_security_evaluations_total',
      'Checks of pods against the pod security policies of their namespaces, by policy and decision.',
      { labels: [...judged, 'ocp_namespace'].sort(), later: { '1.36': { labels: judged } } },
    ),
    podSecurityExemptions: counter(
      'pod_security_exemptions_total',
      'Writes of pods and workloads that are exempt from pod security.',
      { labels: ['request_operation', 'resource', 'subresource'] },
    ),
    compilation: histogram(
      'apiserver_cel_compilation_duration_seconds',
      'Seconds in which the expressions of a policy were compiled.',
      usualSeconds,
      betaFrom('1.31'),
    ),
    evaluation: histogram(
      'apiserver_cel_evaluation_duration_seconds',
      'Seconds in which the expressions of a policy or a schema were evaluated for one object.',
      usualSeconds,
      betaFrom('1.31'),
    ),
    ratchets: histogram(
      'apiextensions_apiserver_validation_ratcheting_seconds',
      'Seconds in which an updated custom resource was compared with the one before, to keep wrong values that do not change.',
      Array.from({ length: 10 }, (_, i) => Number((0.00001 * 4 ** i).toPrecision(12))),
      { introduced: '1.29' },
    ),
  },
} as const satisfies MetricGroup;

const block = { labels: ['cidr', 'scope'] };
const scope = { labels: ['scope'], introduced: '1.28' };

export const kinds = {
  heading: 'Kinds',
  metrics: {
    addresses: counter(
      'kube_apiserver_clusterip_allocator_allocation_total',
      'Addresses that services got, by block, and by whether they asked for them: static or dynamic.',
      block,
    ),
    addressErrors: counter(
      'kube_apiserver_clusterip_allocator_allocation_errors_total',
      'Addresses that services could not get.',
      { ...block, introduced: '1.28' },
    ),
    addressSeconds: histogram(
      'kube_apiserver_clusterip_allocator_allocation_duration_seconds',
      'Seconds in which a free address was found.',
      usualSeconds,
      { labels: ['cidr'], introduced: '1.33' },
    ),
    ports: counter(
      'kube_apiserver_nodeport_allocator_allocation_total',
      'Node ports that services got, by whether they asked for them: static or dynamic.',
      scope,
    ),
    portErrors: counter(
      'kube_apiserver_nodeport_allocator_allocation_errors_total',
      'Node ports that services could not get.',
      scope,
    ),
    requestedDurations: counter(
      'apiserver_certificates_registry_csr_requested_duration_total',
      'Certificates that were issued for requests with a duration, by signer; signers outside of the platform count as other.',
      { labels: ['signerName'], introduced: '1.28' },
    ),
    honoredDurations: counter(
      'apiserver_certificates_registry_csr_honored_duration_total',
      'Such certificates that have about the requested duration.',
      { labels: ['signerName'], introduced: '1.28' },
    ),
  },
} as const satisfies MetricGroup;
