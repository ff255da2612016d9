import { testTarget } from "../../core/contracts/target.js";
import { testTargetSafety } from "../../core/contracts/target-safety.js";

for (const dialect of ["specification", "dozuki", "ifixit"] as const) {
  testTarget(`a target of the ${dialect} dialect`, { dialect });
  testTargetSafety(`a target of the ${dialect} dialect, when things go wrong`, { dialect });
}
