<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>
<CPLEXSolution version="1.2">
 <header
   problemName="yes.lp"
   solutionName="incumbent"
   solutionIndex="-1"
   objectiveValue="0"
   solutionTypeValue="3"
   solutionTypeString="primal"
   solutionStatusValue="101"
   solutionStatusString="integer optimal solution"
   solutionMethodString="mip"
   primalFeasible="1"
   dualFeasible="1"
   MIPNodes="0"
   MIPIterations="0"
   writeLevel="1"/>
 <quality
   epInt="1.0000000000000001e-05"
   epRHS="9.9999999999999995e-07"
   maxIntInfeas="0"
   maxPrimalInfeas="0"
   maxX="1"
   maxSlack="1"/>
 <linearConstraints>
  <constraint name="peg1" index="0" slack="0"/>
  <constraint name="peg2" index="1" slack="0"/>
  <constraint name="color1_low" index="2" slack="0"/>
  <constraint name="color1_high" index="3" slack="1"/>
  <constraint name="color2_low" index="4" slack="0"/>
  <constraint name="color2_high" index="5" slack="1"/>
  <constraint name="row1_1" index="6" slack="0"/>
  <constraint name="row1_2" index="7" slack="0"/>
 </linearConstraints>
 <variables>
  <variable name="peg1color1" index="0" value="0"/>
  <variable name="peg1color2" index="1" value="1"/>
  <variable name="peg1color3" index="2" value="0"/>
  <variable name="peg2color1" index="3" value="1"/>
  <variable name="peg2color2" index="4" value="0"/>
  <variable name="peg2color3" index="5" value="0"/>
  <variable name="color1least1" index="6" value="1"/>
  <variable name="color2least1" index="7" value="1"/>
 </variables>
</CPLEXSolution>
