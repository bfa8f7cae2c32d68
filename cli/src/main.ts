#!/usr/bin/env node
import { svc } from './svc.js';

process.exitCode = await svc(process.argv.slice(2), process.env);
