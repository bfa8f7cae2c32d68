import type { ReactNode } from 'react';
import { Brand } from '../ui/brand/brand';
import { ButtonAnchor } from '../ui/forms/button';
import { Foot } from './foot';
import style from './landing.module.css';
import { Plans } from './plans';
import { Product } from './product';
import { Uses } from './uses/uses';
import { Wire } from './wire';
import type { WORKING } from './working';

interface LandingProps {
  /** HTML that the build makes from our own files. */
  readonly request: string;
  readonly answer: string;
  readonly working: Readonly<Record<keyof typeof WORKING, string>>;
  readonly chain: ReactNode;
}

/** The page as the build renders it. Nothing of it runs in the browser but the parts in `working`. */
export const Landing = ({ request, answer, chain, working }: LandingProps) => (
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
        <h1>
          Know who it is. <br />
          Learn nothing else.
        </h1>
        <p className={style.lead}>
          People sign in with their own phone at your desk, kiosk or door. The phone proves who they are, and
          your servers hold no password, fingerprint or face that could leak.
        </p>
        <div className={style.actions}>
          <ButtonAnchor look="primary" href="/dashboard/signup">
            Start free
          </ButtonAnchor>
          <ButtonAnchor href="#proof">Watch a proof</ButtonAnchor>
        </div>
        <Product />
      </section>
      <section className={style.part} aria-labelledby="uses">
        <h2 id="uses">Where people use it</h2>
        <Uses />
      </section>
      <section className={style.split} aria-labelledby="proof">
        <div>
          <h2 id="proof">A proof, made in your browser</h2>
          <p>
            Your browser acts as the phone: it makes up a secret, proves that it knows the secret, and checks
            the proof with the code that our service runs. Nothing is sent.
          </p>
          <p>
            Change one digit of what the proof is bound to, and it is rejected. So a copied proof is worth
            nothing.
          </p>
          <p className={style.more}>
            <a href="/docs/proofs">How the proofs work</a>
          </p>
        </div>
        <Html works="demo">{working.demo}</Html>
      </section>
      <section className={style.part} aria-labelledby="sent">
        <h2 id="sent">What is sent, and what never is</h2>
        <p>
          At registration, the phone sends a commitment: a number computed from its secret that reveals
          nothing about it. After that, it sends proofs, each valid for one use.
        </p>
        <Wire />
      </section>
      <section className={style.part} aria-labelledby="code">
        <h2 id="code">One request, one answer</h2>
        <p>
          Your backend sends the phone’s proof, and gets a session for the person. If anything is wrong, it
          gets one uniform error that reveals nothing about who is registered.
        </p>
        <div className={style.exchange}>
          <Html>{request}</Html>
          <Html>{answer}</Html>
        </div>
        <ul className={style.points}>
          <li>
            <a href="/docs/openid-provider">Sign-in for software that you already run</a>, as an OpenID
            Provider, without code
          </li>
          <li>
            <a href="/docs/sdk">A typed SDK</a> without dependencies, for Node, browsers and edge runtimes
          </li>
          <li>
            <a href="/docs/cli">A simulated phone</a> on the command line, and a sandbox for every outcome
          </li>
        </ul>
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
        {chain}
      </section>
      <section className={style.part} aria-labelledby="plans">
        <h2 id="plans">Plans</h2>
        <Plans />
      </section>
      <section className={style.part} aria-labelledby="contact">
        <h2 id="contact">Contact us or read more</h2>
        <Html works="leads">{working.leads}</Html>
      </section>
    </main>
    <Foot />
  </>
);

const Html = ({ works, children }: { readonly works?: keyof typeof WORKING; readonly children: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by the build from our own files
  <div data-works={works} dangerouslySetInnerHTML={{ __html: children }} />
);
