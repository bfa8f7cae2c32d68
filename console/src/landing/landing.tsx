import { Brand } from '../ui/brand/brand';
import { ButtonAnchor } from '../ui/forms/button';
import { Demo } from './demo';
import style from './landing.module.css';
import { Leads } from './leads';
import { Plans } from './plans';
import { Still, type Stills } from './still';
import { Wire } from './wire';

export const Landing = ({ stills }: { readonly stills: Stills }) => (
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
          <a href="/docs/changelog">Changelog</a>
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
          At registration, the phone sends a commitment: a number computed from its secret that reveals
          nothing about it. After that, it sends proofs, each valid for one use. Fingerprints, faces and
          secrets are never sent or stored.
        </p>
        <Wire />
      </section>
      <section className={style.split} aria-labelledby="code">
        <div>
          <h2 id="code">Verify a proof with one request</h2>
          <p>
            The phone sends its proof to your backend, and your backend sends it to us. You get a session for
            the person, or one uniform error that reveals nothing about who is registered.
          </p>
          <ul className={style.points}>
            <li>A typed SDK without dependencies, for Node, browsers and edge runtimes</li>
            <li>A plain HTTP JSON API with an OpenAPI description</li>
            <li>A sandbox and a simulated phone on the command line</li>
          </ul>
          <p className={style.more}>
            <a href="/docs/verification">How verification works</a>
          </p>
        </div>
        <Still html={stills.samples} />
      </section>
      <section className={`${style.split} ${style.flipped}`} aria-labelledby="pairing">
        <div>
          <h2 id="pairing">Sign in by scanning a code</h2>
          <p>
            A desktop shows a QR code, and the phone approves it with a proof. Both get a session. No password
            exists that could be phished, reused or leaked.
          </p>
          <p className={style.more}>
            <a href="/docs/pairing">How pairing works</a>
          </p>
        </div>
        <Still html={stills.pairing} />
      </section>
      <section className={style.split} aria-labelledby="log">
        <div>
          <h2 id="log">A log that anybody can check</h2>
          <p>
            Every write adds an entry to a signed hash chain. If an entry is changed or removed, the next one
            no longer fits. Export the chain and check it with your own tools, offline.
          </p>
          <p className={style.more}>
            <a href="/docs/audit">How the audit chain works</a>
          </p>
        </div>
        <Still html={stills.chain} />
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
      <a href="/">
        <Brand />
      </a>
      {LINKS.map(([title, links]) => (
        <nav key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {links.map(([name, href]) => (
              <li key={href}>
                <a href={href}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
      ))}
    </footer>
  </>
);

const LINKS = [
  [
    'Product',
    [
      ['Plans', '#plans'],
      ['Dashboard', '/dashboard/'],
      ['Phone app', '/phone/'],
      ['Changelog', '/docs/changelog'],
    ],
  ],
  [
    'Developers',
    [
      ['Documentation', '/docs'],
      ['API reference', '/docs/reference'],
      ['OpenAPI', '/openapi.json'],
      ['Docs for language models', '/llms.txt'],
    ],
  ],
  [
    'Trust',
    [
      ['Security and privacy', '/docs/security'],
      ['Report a vulnerability', '/.well-known/security.txt'],
      ['Status', '/api/health'],
    ],
  ],
] as const;

const FEATURES = [
  [
    'Registration in three steps',
    'A desk shows a code and a phone scans it. The phone pairs, sends its commitment and a first proof. Each code works once.',
  ],
  [
    'Single-use proofs',
    'Each proof is bound to its nonce, session, account and environment. A copy is rejected.',
  ],
  [
    'Devices, people, attendance',
    'The records around a verification, with separate live and test environments.',
  ],
] as const;
