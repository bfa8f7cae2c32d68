import '../docs/highlight.css';
import '../docs/languages.css';
import '../ui/theme/theme.css';
import './showcase.css';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { rememberLanguage } from '../docs/languages';
import { Landing } from './landing';
import { NO_STILLS } from './still';

hydrateRoot(
  document.querySelector('#root') as HTMLElement,
  <StrictMode>
    <Landing stills={NO_STILLS} />
  </StrictMode>,
);
rememberLanguage();
