// toUpper() and toLower() know letters of all languages.
// expect: trace: MIXED É ÄÖ,mixed é äö,Σ
import string;
trace(toUpper("MiXed é äö"), toLower("MiXed É ÄÖ"), toUpper("σ"));
