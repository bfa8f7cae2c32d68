import type { Verification } from '@svc/sdk';
import { StatusTag, type Tone } from '../../../ui/layout/surface';

export const METHODS = {
  zkp: 'Proof',
  fingerprint: 'Fingerprint',
  face: 'Face',
  depth: 'Depth',
  saml: 'SAML',
  oidc: 'OIDC',
  manual: 'Manual',
} as const satisfies Readonly<Record<Verification['method'], string>>;

export const RESULTS = {
  pass: 'Passed',
  fail: 'Failed',
  challenge: 'Challenged',
} as const satisfies Readonly<Record<Verification['result'], string>>;

const TONES: Readonly<Record<Verification['result'], Tone>> = {
  pass: 'good',
  fail: 'bad',
  challenge: 'warn',
};

export const VerificationResult = ({ of }: { readonly of: Verification['result'] }) => (
  <StatusTag tone={TONES[of]}>{RESULTS[of]}</StatusTag>
);
