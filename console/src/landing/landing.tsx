import { ButtonAnchor } from '../ui/forms/button';
import { Brand } from '../ui/layout/brand';
import { Demo } from './demo';
import style from './landing.module.css';
import { Leads } from './leads';
import { Plans } from './plans';
import { Wire } from './wire';

export const Landing = () => (
  <>
    <header className={style.top}>
      <div>
        <a href="/">
          <Brand />
        </a>
        <nav aria-label="Site">
          <a href="/docs/">Docs</a>
          <a href="/docs/security">Security</a>
          <a href="#plans">Plans</a>
        </nav>
        <ButtonAnchor look="quiet" href="/dashboard/login">
          Log in
        </ButtonAnchor>
        <ButtonAnchor look="primary" href="/dashboard/signup">
          Start free
        </ButtonAnchor>
      </div>
    </header>
    <main>
      <section className={style.hero}>
        <div>
          <h1>Know who it is. Learn nothing else.</h1>
          <p className={style.lead}>
            Sign-in, enrolment and attendance by zero-knowledge proof. The secret stays behind the phone’s
            lock. Your servers hold nothing worth stealing.
          </p>
          <div className={style.actions}>
            <ButtonAnchor look="primary" href="/dashboard/signup">
              Start free
            </ButtonAnchor>
            <ButtonAnchor href="/docs/quickstart">First proof in five minutes</ButtonAnchor>
          </div>
        </div>
        <Demo />
      </section>
      <section className={style.part} aria-labelledby="how">
        <h2 id="how">What is sent, and what never is</h2>
        <p>
          At registration, the phone sends a commitment: a number that is computed from its secret and reveals
          nothing about it. After that, it sends proofs, each valid for one use. No fingerprint, face or
          secret is sent, stored or accepted.
        </p>
        <Wire />
      </section>
      <section className={style.part} aria-labelledby="what">
        <h2 id="what">What you get</h2>
        <ul className={style.features}>
          {FEATURES.map(([title, text]) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>
      <section className={style.part} aria-labelledby="plans">
        <h2 id="plans">Plans</h2>
        <Plans />
      </section>
      <section className={style.part} aria-labelledby="contact">
        <h2 id="contact">Contact us or read more</h2>
        <Leads />
      </section>
    </main>
    <footer className={style.foot}>
      <nav aria-label="More">
        <a href="/docs/">Docs</a>
        <a href="/docs/security">Security and privacy</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href="/api/health">Status</a>
        <a href="/phone/">Phone</a>
      </nav>
    </footer>
  </>
);

const FEATURES = [
  [
    'Registration in three steps',
    'A desk shows a code and a phone scans it. The phone pairs, sends its commitment and a first proof. Each code works once.',
  ],
  [
    'Sign-in by pairing',
    'A desktop shows a code, the phone approves it, and both get a session, without a password.',
  ],
  [
    'Single-use proofs',
    'Each proof is bound to its nonce, session, account and environment. A copy is rejected.',
  ],
  [
    'A tamper-evident audit log',
    'Every write adds a link to a hash chain. Export it and verify it with your own tools.',
  ],
  [
    'Devices, people, attendance',
    'The records around a verification, with separate live and test environments.',
  ],
  [
    'An SDK, a command line and an HTTP API',
    'The SDK is typed and has no dependencies. It runs in Node, browsers and edge runtimes.',
  ],
] as const;
