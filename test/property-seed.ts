/** Property tests try the same inputs in every run: a failure comes from the change, and repeats. */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 });
