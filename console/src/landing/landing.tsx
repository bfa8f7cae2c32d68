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
      <a href="/">
        <Brand />
      </a>
      <nav aria-label="Site">
        <a href="/docs/">Docs</a>
        <a href="#plans">Plans</a>
        <a href="/dashboard/login">Log in</a>
      </nav>
    </header>
    <main>
      <section className={style.hero}>
        <h1>Know who it is. Learn nothing about them.</h1>
        <p>
          Identity verification without passwords, for your own product. A phone keeps the secret behind its
          fingerprint or face lock. Your service receives a zero-knowledge proof that it was there, and never
          anything that could be stolen.
        </p>
        <div className={style.actions}>
          <ButtonAnchor look="primary" href="/dashboard/signup">
            Start free
          </ButtonAnchor>
          <ButtonAnchor href="/docs/quickstart">Five minutes to a proof</ButtonAnchor>
        </div>
      </section>
      <section className={style.part} aria-labelledby="how">
        <h2 id="how">What crosses the wire, and what never does</h2>
        <p>
          At registration the phone sends a commitment: a number that fits its secret and tells nothing of it.
          From then on it sends proofs, each good for one use. No fingerprint, face or secret is sent, stored
          or accepted.
        </p>
        <Wire />
      </section>
      <section className={style.part} aria-labelledby="try">
        <h2 id="try">See it happen, here</h2>
        <p>
          Your browser plays the phone: it makes a secret, proves that it knows it, and checks the proof with
          the verifier that the service runs. Nothing is sent.
        </p>
        <Demo />
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
        <h2 id="contact">Talk to us, or read on</h2>
        <Leads />
      </section>
    </main>
    <footer className={style.foot}>
      <nav aria-label="More">
        <a href="/docs/">Docs</a>
        <a href="/docs/security">Security and privacy</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href="/phone/">Phone</a>
      </nav>
    </footer>
  </>
);

const FEATURES = [
  [
    'Registration in three codes',
    'A desk shows a code, a phone scans it: paired, committed, proved. Each code works once.',
  ],
  [
    'Sign-in by pairing',
    'A desktop shows a code, the phone approves it, and both have a session. No password is typed anywhere.',
  ],
  [
    'Proofs for one use',
    'Each proof is bound to its nonce, session, account and environment. A copy is worth nothing.',
  ],
  [
    'An audit log that cannot be rewritten quietly',
    'Every write is a link of a chain of hashes. Export it, and check it with your own tools.',
  ],
  [
    'Devices, people, attendance',
    'The records around a verification, with a test environment beside the live one.',
  ],
  [
    'An SDK, a command line, plain HTTP',
    'Typed, without dependencies, for Node, browsers and edge runtimes.',
  ],
] as const;
