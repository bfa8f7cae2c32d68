import { Brand } from '../ui/brand/brand';
import style from './landing.module.css';

export const Foot = () => (
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
      ['Quickstart', '/docs/quickstart'],
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
