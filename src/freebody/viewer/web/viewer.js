/* sources f784e0fe8eceaac61cb211517f1ecb2473eb32d364520b72d29534e3c0df601b */
/* three.js
The MIT License

Copyright © 2010-2026 three.js authors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE. */
(()=>{var Hf={f4:Float32Array,f8:Float64Array,i1:Int8Array,u1:Uint8Array,u2:Uint16Array,u4:Uint32Array},Vf=["positions","turns","series","vectors"],Ec=1;async function dl(n){let e=document.getElementById(n);if(!e)throw new Error(`This page has no scene "${n}".`);return qf(await Xf(Wf(e.textContent.trim())))}function Wf(n){if(Uint8Array.fromBase64)return Uint8Array.fromBase64(n);let e=atob(n),t=new Uint8Array(e.length);for(let i=0;i<t.length;i++)t[i]=e.charCodeAt(i);return t}async function Xf(n){let e=new Blob([n]).stream().pipeThrough(new DecompressionStream("deflate"));return new Response(e).arrayBuffer()}function qf(n){let e=new DataView(n).getUint32(0,!0),t=Math.ceil((4+e)/8)*8,i=Cc(JSON.parse(new TextDecoder().decode(new Uint8Array(n,4,e))),n,t);if(i.format!==Ec)throw new Error(`This page has a scene of format ${i.format}; its viewer reads format ${Ec}.`);i.size>0||(i.size=1),i.geometries.forEach(Yf);for(let s of i.clips)for(let r of Vf)s[r]=new ul(s[r]);return i}function Yf(n){let{vertices:e,low:t,step:i,normals:s}=n;n.vertices=Float32Array.from(e,(r,o)=>t[o%3]+i[o%3]*r),n.normals=s&&Float32Array.from(s,r=>r/127)}function Cc(n,e,t){if("$"in n)return $f(e,t,n);for(let i in n)n[i]!==null&&typeof n[i]=="object"&&(n[i]=Cc(n[i],e,t));return n}function $f(n,e,{$:t,at:i,shape:s}){return new Hf[t](n,e+i,s.reduce((r,o)=>r*o,1))}var ul=class{constructor({rows:e,columns:t,first:i,step:s,data:r,missing:o}){Object.assign(this,{rows:e,columns:t}),this.stored={first:i,step:s,data:r,missing:o},this.decoded=new Map}get values(){if(!this.all){this.all=new Float64Array(this.rows*this.columns);for(let e=0;e<this.columns;e++)this.decode(e,this.all,e,this.columns)}return this.all}column(e){let t=this.decoded.get(e);return t||(t=new Float64Array(this.rows),this.decode(e,t,0,1),this.decoded.set(e,t)),t}decode(e,t,i,s){let{rows:r,columns:o}=this,{first:a,step:h,data:l,missing:c}=this.stored,u=r*o,d=0,f=0;for(let p=0,_=e*r;p<r;p++,_++){let m=l[_]|l[_+u]<<8|l[_+2*u]<<16|l[_+3*u]<<24,g=m>>>1^-(m&1);f=f+g|0,d=d+f|0,t[i+p*s]=c&&c[_]?NaN:a[e]+h[e]*d}}};function W(n,e={},...t){let i=document.createElement(n);for(let[s,r]of Object.entries(e))r==null||r===!1||(s.startsWith("on")?i.addEventListener(s.slice(2),r):s==="class"?i.className=r:i.setAttribute(s,r===!0?"":r));return i.append(...t.filter(s=>s!=null&&s!==!1)),i}function Gt(n,e){n.textContent!==e&&(n.textContent=e)}var Zf=120;function Le(n,e=Zf){let t=String(n).replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,"␣"),i=t.length>4*e?[...t.slice(0,2*e),...t.slice(-2*e)]:[...t];if(i.length<=e)return t;let s=Math.floor((e-1)/2);return`${i.slice(0,s).join("")}…${i.slice(-s).join("")}`}function fl(n,{fill:e=!1}={}){let t=document.createElementNS("http://www.w3.org/2000/svg","svg");for(let[s,r]of Object.entries({viewBox:"0 0 20 20",width:20,height:20,"aria-hidden":"true",class:e?"fb-filled":"fb-lined"}))t.setAttribute(s,r);let i=document.createElementNS("http://www.w3.org/2000/svg","path");return i.setAttribute("d",n),t.append(i),t}function On(n){return`rgb(${n.map(e=>Math.round(255*e)).join(" ")})`}var Er={play:"M6 4.2v11.6a.6.6 0 0 0 .92.5l9-5.8a.6.6 0 0 0 0-1l-9-5.8A.6.6 0 0 0 6 4.2z",pause:"M5.5 4h3v12h-3zM11.5 4h3v12h-3z",back:"M15 4.5v11L7.5 10zM5 4.5h1.8v11H5z",forward:"M5 4.5v11l7.5-5.5zM13.2 4.5H15v11h-1.8z",loop:"M4 9V8a3 3 0 0 1 3-3h8M12.5 2.5 15 5l-2.5 2.5M16 11v1a3 3 0 0 1-3 3H5M7.5 17.5 5 15l2.5-2.5",fit:"M3.5 7.5v-4h4M12.5 3.5h4v4M16.5 12.5v4h-4M7.5 16.5h-4v-4M8 10h4M10 8v4",layers:"M10 3.2 17 7l-7 3.8L3 7zM3.4 10.4 10 14l6.6-3.6M3.4 13.6 10 17.2l6.6-3.6",plots:"M3.5 3v13.5H17M6.5 12.5 9.5 8l3 2.5L16.5 5",sliders:"M3 6h6M13 6h4M11 4a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM3 14h2M9 14h8M7 12a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",theme:"M10 3.5a6.5 6.5 0 1 0 0 13zM10 3.5a6.5 6.5 0 0 1 0 13",help:"M7.4 7.4a2.6 2.6 0 1 1 3.8 2.3c-.8.4-1.2.9-1.2 1.8M10 14.6v.1M10 2.8a7.2 7.2 0 1 1 0 14.4 7.2 7.2 0 0 1 0-14.4z",close:"M5 5l10 10M15 5 5 15",down:"M5.5 8l4.5 4.5L14.5 8",reset:"M4.5 4v3.8h3.8M4.8 7.5A6 6 0 1 1 4 10.5"};var Jf="⁰¹²³⁴⁵⁶⁷⁸⁹";function st(n,e=4,t=0){if(n==null||Number.isNaN(n))return"–";if(!Number.isFinite(n))return n>0?"∞":"−∞";if(n===0||Math.abs(n)<=t)return"0";let i=Math.abs(n);return(i>=1e6||i<1e-4?n.toExponential(e-1).replace(/\.?0+e/,"e").replace("e+","e"):Kf(n.toPrecision(e))).replaceAll("-","−")}function Kf(n){return n.includes("e")?String(+n):n.includes(".")?n.replace(/\.?0+$/,""):n}function gi(n,e){let t=n.toFixed(e);return(+t==0?t.replace("-",""):t).replace("-","−")}function ji(n){return Math.min(12,Math.max(0,-Math.floor(Math.log10(n)+1e-9)))}function pl(n,e,t,i=2){let s=(e-n)/Math.max(1,t);if(!(s>0)||!Number.isFinite(s))return{values:[],step:1};let r=10**Math.floor(Math.log10(s)),o=[10,5,2,1,.5,.2].map(u=>u*r),a=u=>Math.floor(e/u+1e-9)-Math.ceil(n/u-1e-9)+1,h=o.findLastIndex(u=>u>=s*(1-1e-9)),l=o.slice(h).find(u=>a(u)>=i)??o[h],c=[];for(let u=Math.ceil(n/l-1e-9);u<=e/l+1e-9&&c.length<100;u++)c.push(u*l||0);return{values:c,step:l}}function Rc(n){if(!(n>0))return 0;let e=Math.floor(Math.log10(n)+1e-9);return e>4||e<-2?3*Math.floor(e/3):0}function Pc(n){return String(n).replace("-","⁻").replace(/\d/g,e=>Jf[e])}var ml=[.01,.02,.05,.1,.2,.5,1,2,5,10,20,50,100],jf=120,Qf=100,Cr=class{constructor(e){this.player=e,this.playButton=Nt("play","Play (space)",()=>e.toggle(),!0),this.loopButton=Nt("loop","Loop (L)",()=>e.setLoop(!e.loop)),this.slider=W("input",{type:"range",class:"fb-range fb-time",min:0,max:1,step:"any","aria-label":"Time",oninput:()=>{e.pause(),e.seek(e.start+this.slider.valueAsNumber*(e.end-e.start))}}),this.marks=W("div",{class:"fb-marks"}),this.tip=W("div",{class:"fb-tip",hidden:!0}),this.time=W("output",{class:"fb-clock","aria-live":"off"}),this.speed=W("select",{class:"fb-select","aria-label":"Speed",title:"Speed (+ and −)",onchange:()=>e.setSpeed(+this.speed.value)}),this.clips=e.scene.clips.length>1&&!e.scene.together?this.clipChoice():null,this.element=W("div",{class:"fb-bar",role:"group","aria-label":"Playback"},this.clips,W("div",{class:"fb-buttons"},Nt("back","Step back (←)",()=>this.step(-1),!0),this.playButton,Nt("forward","Step forward (→)",()=>this.step(1),!0)),W("div",{class:"fb-track"},this.slider,this.marks,this.tip),this.time,W("div",{class:"fb-buttons"},this.speed,this.loopButton)),e.on("time",()=>this.showTime()),e.on("state",()=>this.showState()),e.on("clip",()=>this.showClip()),this.showClip(),this.showState()}clipChoice(){let{player:e}=this,t=e.scene.clips.map((i,s)=>W("option",{value:s},Le(i.name||`clip ${s+1}`,60)));return W("select",{class:"fb-select fb-clips","aria-label":"Motion shown",title:"Motion shown ([ and ])",onchange:i=>e.setClip(+i.target.value)},...t)}showClip(){let{player:e}=this,t=e.end-e.start;this.decimals=Math.min(6,ji((t||1)/500)),this.slider.disabled=this.playButton.disabled=!(t>0),this.clips&&(this.clips.value=String(e.clip)),this.showMarks(),this.showTime()}showTime(){let{player:e}=this,{start:t,end:i,t:s}=e;this.slider.value=String(i>t?(s-t)/(i-t):0),this.slider.style.setProperty("--fb-done",`${i>t?100*(s-t)/(i-t):0}%`);let r=gi(s,this.decimals);this.slider.setAttribute("aria-valuetext",`${r} s`),Gt(this.time,`${r} / ${st(i,4)} s`)}showState(){let{player:e}=this;this.shownPlaying!==e.playing&&(this.shownPlaying=e.playing,ep(this.playButton,e.playing?"Pause (space)":"Play (space)"),this.playButton.replaceChildren(fl(e.playing?Er.pause:Er.play,{fill:!0}))),this.loopButton.setAttribute("aria-pressed",String(e.loop));let t=[...new Set([...ml,e.speed])].sort((i,s)=>i-s);this.speed.options.length!==t.length&&this.speed.replaceChildren(...t.map(i=>W("option",{value:i},`${st(i,3)}×`))),this.speed.value=String(e.speed)}showMarks(){let{player:e}=this,{start:t,end:i}=e,s=new Map,r=e.scene.together?[]:e.current?.events??[];for(let[o,a]of r){if(!(i>t)||o<t||o>i)continue;let h=Math.floor((o-t)/(i-t)*jf);s.set(h,[...s.get(h)??[],[o,a]])}this.marks.replaceChildren(...[...s.values()].map(o=>{let[a]=o[0],h=(a-t)/(i-t),l=o.slice(0,6).map(([f,p])=>`${Le(p,60)} · ${gi(f,this.decimals)} s`);o.length>6&&l.push(`and ${o.length-6} more`);let c=()=>{this.tip.replaceChildren(...l.map(f=>W("div",{},f))),this.tip.hidden=!1,this.tip.style.left=`clamp(5.5rem, ${100*h}%, calc(100% - 5.5rem))`},u=()=>this.tip.hidden=!0,d=W("button",{class:"fb-mark",type:"button",tabindex:"-1","aria-label":`Event ${l.join(", ")}`,onpointerenter:c,onpointerleave:u,onclick:()=>{e.pause(),e.seek(a)}});return d.style.setProperty("--fb-at",String(h)),d}))}step(e,t=1){let{player:i}=this,s=i.current?.t,r=(i.end-i.start)/Qf*t;if(!s?.length)return;i.pause();let o=i.t+e*r;if((i.end-i.start)/Math.max(1,s.length-1)<r||t>1)return i.seek(o);let h=e>0?s.find(l=>l>i.t):s.findLast(l=>l<i.t);i.seek(h??o)}changeSpeed(e){let{player:t}=this,i=e>0?ml.find(s=>s>t.speed*1.001):[...ml].reverse().find(s=>s<t.speed*.999);i&&t.setSpeed(i)}changeClip(e){let t=this.player.scene.clips.length;this.clips&&this.player.setClip((this.player.clip+e+t)%t)}};function Nt(n,e,t,i=!1){return W("button",{class:"fb-icon",type:"button",title:e,"aria-label":e,onclick:t},fl(Er[n],{fill:i}))}function ep(n,e){n.title=e,n.setAttribute("aria-label",e)}var tp=[["drag","turn"],["right drag, two fingers","move"],["wheel, pinch","closer, farther"],["click a body","what is known of it"]],Rr=class{constructor(e,t){let i=new Map([["Pointer",tp.map(([r,o])=>Ic([r],o,"em"))]]);for(let{group:r,keys:o,text:a}of e)i.set(r,[...i.get(r)??[],Ic(o,a,"kbd")]);let s=[...i].map(([r,o])=>W("section",{},W("h3",{},r),W("dl",{},...o.flat())));this.card=W("div",{class:"fb-card fb-help-card",role:"dialog","aria-modal":"true","aria-label":"Help",tabindex:"-1"},W("header",{},W("h2",{},"Keys"),Nt("close","Close (Esc)",t)),W("div",{class:"fb-columns"},...s)),this.element=W("div",{class:"fb-help",hidden:!0,onclick:r=>r.target===this.element&&t()},this.card)}toggle(e=this.element.hidden){this.element.hidden=!e,e&&this.card.focus()}};function Ic(n,e,t){return[W("dt",{},...n.map(i=>W(t,{},i))),W("dd",{},e)]}var gl=12,xl=8,Pr=class{constructor({scene:e,player:t,stage:i}){Object.assign(this,{scene:e,player:t,stage:i}),this.numbers=[],this.index=new Map(e.series.map((s,r)=>[s.key,r])),this.element=W("section",{class:"fb-card fb-info","aria-label":"Selected body",hidden:!0}),t.on("selection",()=>this.show()),t.on("time clip pose",()=>this.update()),t.on("layers options",()=>this.showButtons()),this.show()}show(){let{player:e,scene:t}=this,i=t.bodies[e.selected];this.element.hidden=!i,(e.selected!==this.shown||!i)&&(this.shown=e.selected,this.numbers=[],i?this.build(i):this.element.replaceChildren()),i&&(this.showButtons(),this.update())}build(e){let{player:t,scene:i,shown:s}=this,r=ji((i.size||1)/200);this.follow=Lc("Follow","Keep this body in the middle of the picture (V)",()=>t.setFollow(t.follow===s?-1:s)),this.trail=i.clips.length?Lc("Trail","Draw the path of this body",()=>this.toggleTrail()):null;let o=W("dl",{class:"fb-facts"}),a=(f,...p)=>{let _=W("dd",{},...p);return o.append(W("dt",{},f),_),_};a("parent",this.bodyLink(e.parent)),a("joint",Le(e.joint||"–",60)),e.mass!==null&&a("mass",`${st(e.mass,5)} kg`),a("mass centre",yl(e.com.map(f=>st(f,3)),"m"));let h=[...new Set(i.items.filter(f=>f.body===s&&f.name).map(({name:f})=>f))];h.length&&a("shapes",Le(h.join(", "),200));let l=a("position"),c=a("roll, pitch, yaw");this.numbers.push(()=>{let f=this.stage.poses.matrices.subarray(12*s,12*s+12);Gt(l,yl([f[3],f[7],f[11]].map(p=>gi(p,r)),"m")),Gt(c,yl(ip(f).map(p=>gi(p*180/Math.PI,1)),"°"))}),this.addSeries(o,a,"coordinates",e.q,"q"),i.clips.length&&this.addSeries(o,a,"speeds",e.u,"u"),this.addForces(o,a);let u=Nt("close","Close (Esc)",()=>t.select(-1)),d=W("h2",{title:Le(e.name,400)},W("bdi",{class:"fb-ellipsis"},Le(e.name)));this.element.replaceChildren(W("header",{},d,u),o,W("div",{class:"fb-buttons"},this.follow,this.trail))}addSeries(e,t,i,s,r){let{scene:o,stage:a}=this,h=s.filter(l=>this.index.has(`${r}.${l}`));h.length&&e.append(W("dt",{class:"fb-caption"},i));for(let l of h.slice(0,gl)){let c=this.index.get(`${r}.${l}`),u=t(W("bdi",{class:"fb-ellipsis",title:Le(l,400)},Le(l,60))),d=o.series[c].unit;this.numbers.push(()=>Gt(u,Dc(a.poses.value(c),d)))}h.length>gl&&t("",`and ${h.length-gl} more`)}addForces(e,t){let{scene:i,stage:s,shown:r}=this,o=i.arrows.flatMap(({body:a},h)=>a===r?[h]:[]);if(!(!i.clips.length||!o.length)){e.append(W("dt",{class:"fb-caption"},"forces and torques"));for(let a of o.slice(0,xl)){let{name:h,layer:l,kind:c,unit:u}=i.arrows[a],d=l==="reactions"?`${h}, reaction`:h,f=t(W("bdi",{class:"fb-ellipsis",title:Le(`${d} (${c})`,400)},Le(d,60)));this.numbers.push(()=>Gt(f,Dc(s.arrows.size(a),u)))}o.length>xl&&t("",`and ${o.length-xl} more`)}}bodyLink(e){let{scene:t,player:i}=this;if(e<0||!t.bodies[e])return"ground";let s=t.bodies[e].name;return W("button",{class:"fb-link",type:"button",title:Le(s,400),onclick:()=>i.select(e)},W("bdi",{class:"fb-ellipsis"},Le(s,60)))}toggleTrail(){let{player:e}=this;if(this.hasTrail())return e.setLayer("trails",!1);e.setOption("trails","selected"),e.setLayer("trails",!0)}hasTrail(){return this.player.layers.has("trails")&&this.player.options.trails!=="tips"}showButtons(){this.follow?.setAttribute("aria-pressed",String(this.player.follow===this.shown)),this.trail?.setAttribute("aria-pressed",String(this.hasTrail()))}update(){if(!this.element.hidden)for(let e of this.numbers)e()}};function Lc(n,e,t){return W("button",{class:"fb-button",type:"button",title:e,"aria-pressed":"false",onclick:t},n)}function Dc(n,e){let t=Nc(st(n,4),e);return e==="rad"&&Number.isFinite(n)?`${t} · ${gi(n*180/Math.PI,1)}°`:t}function Nc(n,e){return e?`${n} ${Le(e,20)}`:n}function yl(n,e){return Nc(`(${n.join(", ")})`,e)}function ip(n){return[Math.atan2(n[9],n[10]),Math.asin(Math.max(-1,Math.min(1,-n[8]))),Math.atan2(n[4],n[0])]}var np=[["bodies","Bodies","B"],["joints","Joints","J"],["axes","Joint axes","A"],["links","Springs, rods, ropes","S"],["constraints","Constraints","C"],["loads","Forces and torques","O"],["reactions","Reactions","R"],["frames","Body frames","X"],["centres","Mass centres","M"],["inertia","Inertia ellipsoids","I"],["trails","Trails","T"],["labels","Names","N"],["grid","Grid","G"]],sp=[["tips","of last bodies"],["selected","of the selected body"],["all","of all bodies"]],rp=[["plain","plain"],["displacement","displacement"],["strain","strain"]];function _l(n){let e=new Set([...n.items,...n.lines,...n.links,...n.arrows].map(t=>t.layer));return e.add("grid"),n.flexible.length&&e.add("bodies"),n.bodies.length&&e.add("frames").add("labels"),n.bodies.some(t=>t.mass>0)&&e.add("centres"),n.bodies.some(t=>t.ellipsoid.length)&&e.add("inertia"),n.clips.some(t=>t.t.length>1)&&e.add("trails"),np.filter(([t])=>e.has(t))}var Ir=class{constructor({scene:e,player:t}){this.boxes=_l(e).map(([o,a,h])=>{let l=W("input",{type:"checkbox",onchange:()=>t.setLayer(o,l.checked)});return{layer:o,box:l,row:W("label",{class:"fb-check"},l,W("span",{},a),W("kbd",{},h))}});let i=[W("div",{class:"fb-checks"},...this.boxes.map(({row:o})=>o))],s=[];if(this.boxes.some(({layer:o})=>o==="trails")&&s.push(Uc(t,"trails","Trails",sp)),e.arrows.length&&s.push(Oc(t,"arrowScale","Arrows",-1,1,1)),e.flexible.length){let o=Math.max(1,...e.flexible.map(a=>a.magnify||1));s.push(Oc(t,"magnify","Deformation",0,Math.max(2,Math.ceil(Math.log10(o))+1),o)),s.push(Uc(t,"colouring","Colour by",rp))}s.length&&i.push(W("div",{class:"fb-options"},...s)),this.element=W("div",{class:"fb-card fb-menu",role:"group","aria-label":"Layers",hidden:!0},...i);let r=()=>this.boxes.forEach(({layer:o,box:a})=>a.checked=t.layers.has(o));t.on("layers",r),r()}};function Uc(n,e,t,i){let s=W("select",{class:"fb-select",onchange:()=>n.setOption(e,s.value)},...i.map(([o,a])=>W("option",{value:o},a))),r=()=>s.value=n.options[e];return n.on("options",r),r(),W("label",{class:"fb-option"},W("span",{},t),s)}function Oc(n,e,t,i,s,r){let o=W("span",{class:"fb-plot-value"}),a=W("input",{type:"range",class:"fb-range",min:i,max:s,step:.01,title:"Double-click for the usual value",oninput:()=>n.setOption(e,op(10**a.valueAsNumber)),ondblclick:()=>n.setOption(e,r)}),h=()=>{a.value=String(Math.log10(n.options[e])),o.textContent=`×${st(n.options[e],3)}`};return n.on("options",h),h(),W("label",{class:"fb-option"},W("span",{},t),a,o)}function op(n){return+n.toPrecision(3)}function Fc({scene:n,player:e,stage:t,bar:i,actions:s}){let r=[],o=(a,h,l,c)=>r.push({group:a,keys:h.split(" "),text:l,does:c});n.clips.some(a=>a.t.length>1)&&(o("Time","Space","play, pause",()=>e.toggle()),o("Time","← →","step back, forward; with Shift ten steps",a=>i.step(a.key==="ArrowLeft"?-1:1,a.shiftKey?10:1)),o("Time","Home End","start, end",a=>{e.pause(),e.seek(a.key==="Home"?e.start:e.end)}),o("Time","+ −","faster, slower",a=>i.changeSpeed(a.key==="+"||a.key==="="?1:-1)),o("Time","L","loop",()=>e.setLoop(!e.loop)),i.clips&&o("Time","[ ]","previous, next motion",a=>i.changeClip(a.key==="["?-1:1))),o("Camera","F","fit everything, or the selected body",()=>t.fit(e.selected)),o("Camera","1 3 7","from the front, the right, above",a=>t.setView({1:"front",3:"right",7:"top"}[a.key])),o("Camera","V","follow the selected body",()=>e.setFollow(e.follow>=0?-1:e.selected));for(let[a,h,l]of _l(n))o("Show",l,h.toLowerCase(),()=>e.toggleLayer(a));return s.plots&&o("Panels","P","plots",s.plots),s.sliders&&o("Panels","Q","sliders of the coordinates",s.sliders),o("Panels","K","layers",s.layers),o("Panels","D","dark or light",s.theme),o("Panels","?","this list",s.help),o("Panels","Esc","close; select nothing",s.escape),r}var ap={"←":"ArrowLeft","→":"ArrowRight",Space:" ",Esc:"Escape","−":"-"};function Bc(n,e){if(e.ctrlKey||e.metaKey||e.altKey||e.defaultPrevented)return!1;let t=e.key==="="?"+":e.key,i=n.find(({keys:s})=>s.some(r=>(ap[r]??r).toLowerCase()===t.toLowerCase()));return!i||t!=="Escape"&&lp(e.target,t)?!1:(e.preventDefault(),i.does(e),!0)}function lp(n,e){return!(n instanceof HTMLElement)||n.matches(".fb-time")?!1:n.matches("input[type=range]")?/^(Arrow|Home|End)/.test(e):n.matches("button, summary, input[type=checkbox]")?e===" ":n.isContentEditable||n.matches("input, select, textarea")}var cn={LEFT:0,MIDDLE:1,RIGHT:2,ROTATE:0,DOLLY:1,PAN:2},un={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},pu=0,$l=1,mu=2;var ar=1,gu=2,fs=3,dn=0,qt=1,Kt=2,Rn=0,ps=1,Zl=2,Jl=3,Kl=4,xu=5;var Pn=100,yu=101,_u=102,bu=103,Mu=104,Su=200,vu=201,wu=202,Au=203,jl=204,Ql=205,Tu=206,Eu=207,Cu=208,Ru=209,Pu=210,Iu=211,Lu=212,Du=213,Nu=214,ro=0,oo=1,ao=2,ts=3,lo=4,ho=5,is=6,co=7,eh=0,Uu=1,Ou=2,Ri=0,th=1,ih=2,nh=3,sh=4,rh=5,oh=6,ah=7;var lh=300,In=301,ms=302,Fo=303,Bo=304,uo=1e3,Ci=1001,fo=1002,At=1003,Fu=1004;var lr=1005;var Wt=1006,zo=1007;var Wi=1008;var oi=1009,hh=1010,ch=1011,gs=1012,ko=1013,vi=1014,pi=1015,wi=1016,Go=1017,Ho=1018,Ln=1020,uh=35902,dh=35899,fh=1021,ph=1022,Ai=1023,Hi=1026,Xi=1027,Vo=1028,Wo=1029,fn=1030,Xo=1031;var qo=1033,hr=33776,cr=33777,ur=33778,dr=33779,Yo=35840,$o=35841,Zo=35842,Jo=35843,Ko=36196,jo=37492,Qo=37496,ea=37488,ta=37489,fr=37490,ia=37491,na=37808,sa=37809,ra=37810,oa=37811,aa=37812,la=37813,ha=37814,ca=37815,ua=37816,da=37817,fa=37818,pa=37819,ma=37820,ga=37821,xa=36492,ya=36494,_a=36495,ba=36283,Ma=36284,pr=36285,Sa=36286;var Os=2300,po=2301,no=2302,Gl=2303,Hl=2400,Vl=2401,Wl=2402;var Bu=3200;var mh=0,zu=1,qi="",ii="srgb",Fs="srgb-linear",Bs="linear",Je="srgb";var so=7680;var ku=519,Gu=512,Hu=513,Vu=514,gh=515,Wu=516,Xu=517,xh=518,yh=519,_h=35044;var bh="300 es",di=2e3,zs=2001;function hp(n){for(let e=n.length-1;e>=0;--e)if(n[e]>=65535)return!0;return!1}function cp(n){return ArrayBuffer.isView(n)&&!(n instanceof DataView)}function ks(n){return document.createElementNS("http://www.w3.org/1999/xhtml",n)}function qu(){let n=ks("canvas");return n.style.display="block",n}var zc={},ns=null;function Gs(...n){let e="THREE."+n.shift();ns?ns("log",e,...n):console.log(e,...n)}function Yu(n){let e=n[0];if(typeof e=="string"&&e.startsWith("TSL:")){let t=n[1];t&&t.isStackTrace?n[0]+=" "+t.getLocation():n[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return n}function Re(...n){n=Yu(n);let e="THREE."+n.shift();if(ns)ns("warn",e,...n);else{let t=n[0];t&&t.isStackTrace?console.warn(t.getError(e)):console.warn(e,...n)}}function De(...n){n=Yu(n);let e="THREE."+n.shift();if(ns)ns("error",e,...n);else{let t=n[0];t&&t.isStackTrace?console.error(t.getError(e)):console.error(e,...n)}}function Ns(...n){let e=n.join(" ");e in zc||(zc[e]=!0,Re(...n))}function $u(n,e,t){return new Promise(function(i,s){function r(){switch(n.clientWaitSync(e,n.SYNC_FLUSH_COMMANDS_BIT,0)){case n.WAIT_FAILED:s();break;case n.TIMEOUT_EXPIRED:setTimeout(r,t);break;default:i()}}setTimeout(r,t)})}var Zu={[ro]:ro,[ao]:is,[lo]:lo,[ts]:ho,[oo]:oo,[is]:ao,[co]:co,[ho]:ts},Mi=class{addEventListener(e,t){this._listeners===void 0&&(this._listeners={});let i=this._listeners;i[e]===void 0&&(i[e]=[]),i[e].indexOf(t)===-1&&i[e].push(t)}hasEventListener(e,t){let i=this._listeners;return i===void 0?!1:i[e]!==void 0&&i[e].indexOf(t)!==-1}removeEventListener(e,t){let i=this._listeners;if(i===void 0)return;let s=i[e];if(s!==void 0){let r=s.indexOf(t);r!==-1&&s.splice(r,1)}}dispatchEvent(e){let t=this._listeners;if(t===void 0)return;let i=t[e.type];if(i!==void 0){e.target=this;let s=i.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,e);e.target=null}}},Ut=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],kc=1234567,Qn=Math.PI/180,ss=180/Math.PI;function pn(){let n=Math.random()*4294967295|0,e=Math.random()*4294967295|0,t=Math.random()*4294967295|0,i=Math.random()*4294967295|0;return(Ut[n&255]+Ut[n>>8&255]+Ut[n>>16&255]+Ut[n>>24&255]+"-"+Ut[e&255]+Ut[e>>8&255]+"-"+Ut[e>>16&15|64]+Ut[e>>24&255]+"-"+Ut[t&63|128]+Ut[t>>8&255]+"-"+Ut[t>>16&255]+Ut[t>>24&255]+Ut[i&255]+Ut[i>>8&255]+Ut[i>>16&255]+Ut[i>>24&255]).toLowerCase()}function Be(n,e,t){return Math.max(e,Math.min(t,n))}function Mh(n,e){return(n%e+e)%e}function up(n,e,t,i,s){return i+(n-e)*(s-i)/(t-e)}function dp(n,e,t){return n!==e?(t-n)/(e-n):0}function Us(n,e,t){return(1-t)*n+t*e}function fp(n,e,t,i){return Us(n,e,1-Math.exp(-t*i))}function pp(n,e=1){return e-Math.abs(Mh(n,e*2)-e)}function mp(n,e,t){return n<=e?0:n>=t?1:(n=(n-e)/(t-e),n*n*(3-2*n))}function gp(n,e,t){return n<=e?0:n>=t?1:(n=(n-e)/(t-e),n*n*n*(n*(n*6-15)+10))}function xp(n,e){return n+Math.floor(Math.random()*(e-n+1))}function yp(n,e){return n+Math.random()*(e-n)}function _p(n){return n*(.5-Math.random())}function bp(n){n!==void 0&&(kc=n);let e=kc+=1831565813;return e=Math.imul(e^e>>>15,e|1),e^=e+Math.imul(e^e>>>7,e|61),((e^e>>>14)>>>0)/4294967296}function Mp(n){return n*Qn}function Sp(n){return n*ss}function vp(n){return n>0&&Number.isInteger(n)&&2**Math.round(Math.log2(n))===n}function wp(n){return Math.pow(2,Math.ceil(Math.log(n)/Math.LN2))}function Sh(n){return Math.pow(2,Math.floor(Math.log(n)/Math.LN2))}function Ap(n,e,t,i,s){let r=Math.cos,o=Math.sin,a=r(t/2),h=o(t/2),l=r((e+i)/2),c=o((e+i)/2),u=r((e-i)/2),d=o((e-i)/2),f=r((i-e)/2),p=o((i-e)/2);switch(s){case"XYX":n.set(a*c,h*u,h*d,a*l);break;case"YZY":n.set(h*d,a*c,h*u,a*l);break;case"ZXZ":n.set(h*u,h*d,a*c,a*l);break;case"XZX":n.set(a*c,h*p,h*f,a*l);break;case"YXY":n.set(h*f,a*c,h*p,a*l);break;case"ZYZ":n.set(h*p,h*f,a*c,a*l);break;default:Re("MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+s)}}function va(n){switch(n.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function vh(n,e){if(e.constructor===Float32Array)return n;let t=va(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(n/t,-1)}function wh(n,e){if(e.constructor===Float32Array)return n;let t=va(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(n*t)}var mr={DEG2RAD:Qn,RAD2DEG:ss,generateUUID:pn,clamp:Be,euclideanModulo:Mh,mapLinear:up,inverseLerp:dp,lerp:Us,damp:fp,pingpong:pp,smoothstep:mp,smootherstep:gp,randInt:xp,randFloat:yp,randFloatSpread:_p,seededRandom:bp,degToRad:Mp,radToDeg:Sp,isPowerOfTwo:vp,ceilPowerOfTwo:wp,floorPowerOfTwo:Sh,setQuaternionFromProperEuler:Ap,normalize:wh,denormalize:vh},Rh=class Rh{constructor(e=0,t=0){this.x=e,this.y=t}get width(){return this.x}set width(e){this.x=e}get height(){return this.y}set height(e){this.y=e}set(e,t){return this.x=e,this.y=t,this}setScalar(e){return this.x=e,this.y=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;default:throw new Error("THREE.Vector2: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y)}copy(e){return this.x=e.x,this.y=e.y,this}add(e){return this.x+=e.x,this.y+=e.y,this}addScalar(e){return this.x+=e,this.y+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this}subScalar(e){return this.x-=e,this.y-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this}multiply(e){return this.x*=e.x,this.y*=e.y,this}multiplyScalar(e){return this.x*=e,this.y*=e,this}divide(e){return this.x/=e.x,this.y/=e.y,this}divideScalar(e){return this.multiplyScalar(1/e)}applyMatrix3(e){let t=this.x,i=this.y,s=e.elements;return this.x=s[0]*t+s[3]*i+s[6],this.y=s[1]*t+s[4]*i+s[7],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this}clamp(e,t){return this.x=Be(this.x,e.x,t.x),this.y=Be(this.y,e.y,t.y),this}clampScalar(e,t){return this.x=Be(this.x,e,t),this.y=Be(this.y,e,t),this}clampLength(e,t){let i=this.length();return this.divideScalar(i||1).multiplyScalar(Be(i,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(e){return this.x*e.x+this.y*e.y}cross(e){return this.x*e.y-this.y*e.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let i=this.dot(e)/t;return Math.acos(Be(i,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,i=this.y-e.y;return t*t+i*i}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this}lerpVectors(e,t,i){return this.x=e.x+(t.x-e.x)*i,this.y=e.y+(t.y-e.y)*i,this}equals(e){return e.x===this.x&&e.y===this.y}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this}rotateAround(e,t){let i=Math.cos(t),s=Math.sin(t),r=this.x-e.x,o=this.y-e.y;return this.x=r*i-o*s+e.x,this.y=r*s+o*i+e.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}};Rh.prototype.isVector2=!0;var Te=Rh,Ft=class{constructor(e=0,t=0,i=0,s=1){this.isQuaternion=!0,this._x=e,this._y=t,this._z=i,this._w=s}static slerpFlat(e,t,i,s,r,o,a){let h=i[s+0],l=i[s+1],c=i[s+2],u=i[s+3],d=r[o+0],f=r[o+1],p=r[o+2],_=r[o+3];if(u!==_||h!==d||l!==f||c!==p){let m=h*d+l*f+c*p+u*_;m<0&&(d=-d,f=-f,p=-p,_=-_,m=-m);let g=1-a;if(m<.9995){let M=Math.acos(m),T=Math.sin(M);g=Math.sin(g*M)/T,a=Math.sin(a*M)/T,h=h*g+d*a,l=l*g+f*a,c=c*g+p*a,u=u*g+_*a}else{h=h*g+d*a,l=l*g+f*a,c=c*g+p*a,u=u*g+_*a;let M=1/Math.sqrt(h*h+l*l+c*c+u*u);h*=M,l*=M,c*=M,u*=M}}e[t]=h,e[t+1]=l,e[t+2]=c,e[t+3]=u}static multiplyQuaternionsFlat(e,t,i,s,r,o){let a=i[s],h=i[s+1],l=i[s+2],c=i[s+3],u=r[o],d=r[o+1],f=r[o+2],p=r[o+3];return e[t]=a*p+c*u+h*f-l*d,e[t+1]=h*p+c*d+l*u-a*f,e[t+2]=l*p+c*f+a*d-h*u,e[t+3]=c*p-a*u-h*d-l*f,e}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get w(){return this._w}set w(e){this._w=e,this._onChangeCallback()}set(e,t,i,s){return this._x=e,this._y=t,this._z=i,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(e){return this._x=e.x,this._y=e.y,this._z=e.z,this._w=e.w,this._onChangeCallback(),this}setFromEuler(e,t=!0){let i=e._x,s=e._y,r=e._z,o=e._order,a=Math.cos,h=Math.sin,l=a(i/2),c=a(s/2),u=a(r/2),d=h(i/2),f=h(s/2),p=h(r/2);switch(o){case"XYZ":this._x=d*c*u+l*f*p,this._y=l*f*u-d*c*p,this._z=l*c*p+d*f*u,this._w=l*c*u-d*f*p;break;case"YXZ":this._x=d*c*u+l*f*p,this._y=l*f*u-d*c*p,this._z=l*c*p-d*f*u,this._w=l*c*u+d*f*p;break;case"ZXY":this._x=d*c*u-l*f*p,this._y=l*f*u+d*c*p,this._z=l*c*p+d*f*u,this._w=l*c*u-d*f*p;break;case"ZYX":this._x=d*c*u-l*f*p,this._y=l*f*u+d*c*p,this._z=l*c*p-d*f*u,this._w=l*c*u+d*f*p;break;case"YZX":this._x=d*c*u+l*f*p,this._y=l*f*u+d*c*p,this._z=l*c*p-d*f*u,this._w=l*c*u-d*f*p;break;case"XZY":this._x=d*c*u-l*f*p,this._y=l*f*u-d*c*p,this._z=l*c*p+d*f*u,this._w=l*c*u+d*f*p;break;default:Re("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return t===!0&&this._onChangeCallback(),this}setFromAxisAngle(e,t){let i=t/2,s=Math.sin(i);return this._x=e.x*s,this._y=e.y*s,this._z=e.z*s,this._w=Math.cos(i),this._onChangeCallback(),this}setFromRotationMatrix(e){let t=e.elements,i=t[0],s=t[4],r=t[8],o=t[1],a=t[5],h=t[9],l=t[2],c=t[6],u=t[10],d=i+a+u;if(d>0){let f=.5/Math.sqrt(d+1);this._w=.25/f,this._x=(c-h)*f,this._y=(r-l)*f,this._z=(o-s)*f}else if(i>a&&i>u){let f=2*Math.sqrt(1+i-a-u);this._w=(c-h)/f,this._x=.25*f,this._y=(s+o)/f,this._z=(r+l)/f}else if(a>u){let f=2*Math.sqrt(1+a-i-u);this._w=(r-l)/f,this._x=(s+o)/f,this._y=.25*f,this._z=(h+c)/f}else{let f=2*Math.sqrt(1+u-i-a);this._w=(o-s)/f,this._x=(r+l)/f,this._y=(h+c)/f,this._z=.25*f}return this._onChangeCallback(),this}setFromUnitVectors(e,t){let i=e.dot(t)+1;return i<1e-8?(i=0,Math.abs(e.x)>Math.abs(e.z)?(this._x=-e.y,this._y=e.x,this._z=0,this._w=i):(this._x=0,this._y=-e.z,this._z=e.y,this._w=i)):(this._x=e.y*t.z-e.z*t.y,this._y=e.z*t.x-e.x*t.z,this._z=e.x*t.y-e.y*t.x,this._w=i),this.normalize()}angleTo(e){return 2*Math.acos(Math.abs(Be(this.dot(e),-1,1)))}rotateTowards(e,t){let i=this.angleTo(e);if(i===0)return this;let s=Math.min(1,t/i);return this.slerp(e,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(e){return this._x*e._x+this._y*e._y+this._z*e._z+this._w*e._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let e=this.length();return e===0?(this._x=0,this._y=0,this._z=0,this._w=1):(e=1/e,this._x=this._x*e,this._y=this._y*e,this._z=this._z*e,this._w=this._w*e),this._onChangeCallback(),this}multiply(e){return this.multiplyQuaternions(this,e)}premultiply(e){return this.multiplyQuaternions(e,this)}multiplyQuaternions(e,t){let i=e._x,s=e._y,r=e._z,o=e._w,a=t._x,h=t._y,l=t._z,c=t._w;return this._x=i*c+o*a+s*l-r*h,this._y=s*c+o*h+r*a-i*l,this._z=r*c+o*l+i*h-s*a,this._w=o*c-i*a-s*h-r*l,this._onChangeCallback(),this}slerp(e,t){let i=e._x,s=e._y,r=e._z,o=e._w,a=this.dot(e);a<0&&(i=-i,s=-s,r=-r,o=-o,a=-a);let h=1-t;if(a<.9995){let l=Math.acos(a),c=Math.sin(l);h=Math.sin(h*l)/c,t=Math.sin(t*l)/c,this._x=this._x*h+i*t,this._y=this._y*h+s*t,this._z=this._z*h+r*t,this._w=this._w*h+o*t,this._onChangeCallback()}else this._x=this._x*h+i*t,this._y=this._y*h+s*t,this._z=this._z*h+r*t,this._w=this._w*h+o*t,this.normalize();return this}slerpQuaternions(e,t,i){return this.copy(e).slerp(t,i)}random(){let e=2*Math.PI*Math.random(),t=2*Math.PI*Math.random(),i=Math.random(),s=Math.sqrt(1-i),r=Math.sqrt(i);return this.set(s*Math.sin(e),s*Math.cos(e),r*Math.sin(t),r*Math.cos(t))}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._w===this._w}fromArray(e,t=0){return this._x=e[t],this._y=e[t+1],this._z=e[t+2],this._w=e[t+3],this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._w,e}fromBufferAttribute(e,t){return this._x=e.getX(t),this._y=e.getY(t),this._z=e.getZ(t),this._w=e.getW(t),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},Ph=class Ph{constructor(e=0,t=0,i=0){this.x=e,this.y=t,this.z=i}set(e,t,i){return i===void 0&&(i=this.z),this.x=e,this.y=t,this.z=i,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;default:throw new Error("THREE.Vector3: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this}multiplyVectors(e,t){return this.x=e.x*t.x,this.y=e.y*t.y,this.z=e.z*t.z,this}applyEuler(e){return this.applyQuaternion(Gc.setFromEuler(e))}applyAxisAngle(e,t){return this.applyQuaternion(Gc.setFromAxisAngle(e,t))}applyMatrix3(e){let t=this.x,i=this.y,s=this.z,r=e.elements;return this.x=r[0]*t+r[3]*i+r[6]*s,this.y=r[1]*t+r[4]*i+r[7]*s,this.z=r[2]*t+r[5]*i+r[8]*s,this}applyNormalMatrix(e){return this.applyMatrix3(e).normalize()}applyMatrix4(e){let t=this.x,i=this.y,s=this.z,r=e.elements,o=1/(r[3]*t+r[7]*i+r[11]*s+r[15]);return this.x=(r[0]*t+r[4]*i+r[8]*s+r[12])*o,this.y=(r[1]*t+r[5]*i+r[9]*s+r[13])*o,this.z=(r[2]*t+r[6]*i+r[10]*s+r[14])*o,this}applyQuaternion(e){let t=this.x,i=this.y,s=this.z,r=e.x,o=e.y,a=e.z,h=e.w,l=2*(o*s-a*i),c=2*(a*t-r*s),u=2*(r*i-o*t);return this.x=t+h*l+o*u-a*c,this.y=i+h*c+a*l-r*u,this.z=s+h*u+r*c-o*l,this}project(e){return this.applyMatrix4(e.matrixWorldInverse).applyMatrix4(e.projectionMatrix)}unproject(e){return this.applyMatrix4(e.projectionMatrixInverse).applyMatrix4(e.matrixWorld)}transformDirection(e){let t=this.x,i=this.y,s=this.z,r=e.elements;return this.x=r[0]*t+r[4]*i+r[8]*s,this.y=r[1]*t+r[5]*i+r[9]*s,this.z=r[2]*t+r[6]*i+r[10]*s,this.normalize()}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this}divideScalar(e){return this.multiplyScalar(1/e)}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this}clamp(e,t){return this.x=Be(this.x,e.x,t.x),this.y=Be(this.y,e.y,t.y),this.z=Be(this.z,e.z,t.z),this}clampScalar(e,t){return this.x=Be(this.x,e,t),this.y=Be(this.y,e,t),this.z=Be(this.z,e,t),this}clampLength(e,t){let i=this.length();return this.divideScalar(i||1).multiplyScalar(Be(i,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this}lerpVectors(e,t,i){return this.x=e.x+(t.x-e.x)*i,this.y=e.y+(t.y-e.y)*i,this.z=e.z+(t.z-e.z)*i,this}cross(e){return this.crossVectors(this,e)}crossVectors(e,t){let i=e.x,s=e.y,r=e.z,o=t.x,a=t.y,h=t.z;return this.x=s*h-r*a,this.y=r*o-i*h,this.z=i*a-s*o,this}projectOnVector(e){let t=e.lengthSq();if(t===0)return this.set(0,0,0);let i=e.dot(this)/t;return this.copy(e).multiplyScalar(i)}projectOnPlane(e){return bl.copy(this).projectOnVector(e),this.sub(bl)}reflect(e){return this.sub(bl.copy(e).multiplyScalar(2*this.dot(e)))}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let i=this.dot(e)/t;return Math.acos(Be(i,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,i=this.y-e.y,s=this.z-e.z;return t*t+i*i+s*s}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)+Math.abs(this.z-e.z)}setFromSpherical(e){return this.setFromSphericalCoords(e.radius,e.phi,e.theta)}setFromSphericalCoords(e,t,i){let s=Math.sin(t)*e;return this.x=s*Math.sin(i),this.y=Math.cos(t)*e,this.z=s*Math.cos(i),this}setFromCylindrical(e){return this.setFromCylindricalCoords(e.radius,e.theta,e.y)}setFromCylindricalCoords(e,t,i){return this.x=e*Math.sin(t),this.y=i,this.z=e*Math.cos(t),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this}setFromMatrixScale(e){let t=this.setFromMatrixColumn(e,0).length(),i=this.setFromMatrixColumn(e,1).length(),s=this.setFromMatrixColumn(e,2).length();return this.x=t,this.y=i,this.z=s,this}setFromMatrixColumn(e,t){return this.fromArray(e.elements,t*4)}setFromMatrix3Column(e,t){return this.fromArray(e.elements,t*3)}setFromEuler(e){return this.x=e._x,this.y=e._y,this.z=e._z,this}setFromColor(e){return this.x=e.r,this.y=e.g,this.z=e.b,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let e=Math.random()*Math.PI*2,t=Math.random()*2-1,i=Math.sqrt(1-t*t);return this.x=i*Math.cos(e),this.y=t,this.z=i*Math.sin(e),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}};Ph.prototype.isVector3=!0;var R=Ph,bl=new R,Gc=new Ft,Ih=class Ih{constructor(e,t,i,s,r,o,a,h,l){this.elements=[1,0,0,0,1,0,0,0,1],e!==void 0&&this.set(e,t,i,s,r,o,a,h,l)}set(e,t,i,s,r,o,a,h,l){let c=this.elements;return c[0]=e,c[1]=s,c[2]=a,c[3]=t,c[4]=r,c[5]=h,c[6]=i,c[7]=o,c[8]=l,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(e){let t=this.elements,i=e.elements;return t[0]=i[0],t[1]=i[1],t[2]=i[2],t[3]=i[3],t[4]=i[4],t[5]=i[5],t[6]=i[6],t[7]=i[7],t[8]=i[8],this}extractBasis(e,t,i){return e.setFromMatrix3Column(this,0),t.setFromMatrix3Column(this,1),i.setFromMatrix3Column(this,2),this}setFromMatrix4(e){let t=e.elements;return this.set(t[0],t[4],t[8],t[1],t[5],t[9],t[2],t[6],t[10]),this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let i=e.elements,s=t.elements,r=this.elements,o=i[0],a=i[3],h=i[6],l=i[1],c=i[4],u=i[7],d=i[2],f=i[5],p=i[8],_=s[0],m=s[3],g=s[6],M=s[1],T=s[4],v=s[7],E=s[2],A=s[5],x=s[8];return r[0]=o*_+a*M+h*E,r[3]=o*m+a*T+h*A,r[6]=o*g+a*v+h*x,r[1]=l*_+c*M+u*E,r[4]=l*m+c*T+u*A,r[7]=l*g+c*v+u*x,r[2]=d*_+f*M+p*E,r[5]=d*m+f*T+p*A,r[8]=d*g+f*v+p*x,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[3]*=e,t[6]*=e,t[1]*=e,t[4]*=e,t[7]*=e,t[2]*=e,t[5]*=e,t[8]*=e,this}determinant(){let e=this.elements,t=e[0],i=e[1],s=e[2],r=e[3],o=e[4],a=e[5],h=e[6],l=e[7],c=e[8];return t*o*c-t*a*l-i*r*c+i*a*h+s*r*l-s*o*h}invert(){let e=this.elements,t=e[0],i=e[1],s=e[2],r=e[3],o=e[4],a=e[5],h=e[6],l=e[7],c=e[8],u=c*o-a*l,d=a*h-c*r,f=l*r-o*h,p=t*u+i*d+s*f;if(p===0)return this.set(0,0,0,0,0,0,0,0,0);let _=1/p;return e[0]=u*_,e[1]=(s*l-c*i)*_,e[2]=(a*i-s*o)*_,e[3]=d*_,e[4]=(c*t-s*h)*_,e[5]=(s*r-a*t)*_,e[6]=f*_,e[7]=(i*h-l*t)*_,e[8]=(o*t-i*r)*_,this}transpose(){let e,t=this.elements;return e=t[1],t[1]=t[3],t[3]=e,e=t[2],t[2]=t[6],t[6]=e,e=t[5],t[5]=t[7],t[7]=e,this}getNormalMatrix(e){return this.setFromMatrix4(e).invert().transpose()}transposeIntoArray(e){let t=this.elements;return e[0]=t[0],e[1]=t[3],e[2]=t[6],e[3]=t[1],e[4]=t[4],e[5]=t[7],e[6]=t[2],e[7]=t[5],e[8]=t[8],this}setUvTransform(e,t,i,s,r,o,a){let h=Math.cos(r),l=Math.sin(r);return this.set(i*h,i*l,-i*(h*o+l*a)+o+e,-s*l,s*h,-s*(-l*o+h*a)+a+t,0,0,1),this}scale(e,t){return Ns("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(Ml.makeScale(e,t)),this}rotate(e){return Ns("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(Ml.makeRotation(-e)),this}translate(e,t){return Ns("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(Ml.makeTranslation(e,t)),this}makeTranslation(e,t){return e.isVector2?this.set(1,0,e.x,0,1,e.y,0,0,1):this.set(1,0,e,0,1,t,0,0,1),this}makeRotation(e){let t=Math.cos(e),i=Math.sin(e);return this.set(t,-i,0,i,t,0,0,0,1),this}makeScale(e,t){return this.set(e,0,0,0,t,0,0,0,1),this}equals(e){let t=this.elements,i=e.elements;for(let s=0;s<9;s++)if(t[s]!==i[s])return!1;return!0}fromArray(e,t=0){for(let i=0;i<9;i++)this.elements[i]=e[i+t];return this}toArray(e=[],t=0){let i=this.elements;return e[t]=i[0],e[t+1]=i[1],e[t+2]=i[2],e[t+3]=i[3],e[t+4]=i[4],e[t+5]=i[5],e[t+6]=i[6],e[t+7]=i[7],e[t+8]=i[8],e}clone(){return new this.constructor().fromArray(this.elements)}};Ih.prototype.isMatrix3=!0;var Ne=Ih,Ml=new Ne,Hc=new Ne().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),Vc=new Ne().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function Tp(){let n={enabled:!0,workingColorSpace:Fs,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===Je&&(s.r=Gi(s.r),s.g=Gi(s.g),s.b=Gi(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===Je&&(s.r=es(s.r),s.g=es(s.g),s.b=es(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===qi?Bs:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},e=[.64,.33,.3,.6,.15,.06],t=[.2126,.7152,.0722],i=[.3127,.329];return n.define({[Fs]:{primaries:e,whitePoint:i,transfer:Bs,toXYZ:Hc,fromXYZ:Vc,luminanceCoefficients:t,workingColorSpaceConfig:{unpackColorSpace:ii},outputColorSpaceConfig:{drawingBufferColorSpace:ii}},[ii]:{primaries:e,whitePoint:i,transfer:Je,toXYZ:Hc,fromXYZ:Vc,luminanceCoefficients:t,outputColorSpaceConfig:{drawingBufferColorSpace:ii}}}),n}var qe=Tp();function Gi(n){return n<.04045?n*.0773993808:Math.pow(n*.9478672986+.0521327014,2.4)}function es(n){return n<.0031308?n*12.92:1.055*Math.pow(n,.41666)-.055}var Fn,mo=class{static getDataURL(e,t="image/png"){if(/^data:/i.test(e.src)||typeof HTMLCanvasElement>"u")return e.src;let i;if(e instanceof HTMLCanvasElement)i=e;else{Fn===void 0&&(Fn=ks("canvas")),Fn.width=e.width,Fn.height=e.height;let s=Fn.getContext("2d");e instanceof ImageData?s.putImageData(e,0,0):s.drawImage(e,0,0,e.width,e.height),i=Fn}return i.toDataURL(t)}static sRGBToLinear(e){if(typeof HTMLImageElement<"u"&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&e instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&e instanceof ImageBitmap){let t=ks("canvas");t.width=e.width,t.height=e.height;let i=t.getContext("2d");i.drawImage(e,0,0,e.width,e.height);let s=i.getImageData(0,0,e.width,e.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=Gi(r[o]/255)*255;return i.putImageData(s,0,0),t}else if(e.data){let t=e.data.slice(0);for(let i=0;i<t.length;i++)t instanceof Uint8Array||t instanceof Uint8ClampedArray?t[i]=Math.floor(Gi(t[i]/255)*255):t[i]=Gi(t[i]);return{data:t,width:e.width,height:e.height}}else return Re("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),e}},Ep=0,rs=class{constructor(e=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:Ep++}),this.uuid=pn(),this.data=e,this.dataReady=!0,this.version=0}getSize(e){let t=this.data;return typeof HTMLVideoElement<"u"&&t instanceof HTMLVideoElement?e.set(t.videoWidth,t.videoHeight,0):typeof VideoFrame<"u"&&t instanceof VideoFrame?e.set(t.displayWidth,t.displayHeight,0):t!==null?e.set(t.width||0,t.height||0,t.depth||0):e.set(0,0,0),e}set needsUpdate(e){e===!0&&this.version++}toJSON(e){let t=e===void 0||typeof e=="string";if(!t&&e.images[this.uuid]!==void 0)return e.images[this.uuid];let i={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(Sl(s[o].image)):r.push(Sl(s[o]))}else r=Sl(s);i.url=r}return t||(e.images[this.uuid]=i),i}};function Sl(n){return typeof HTMLImageElement<"u"&&n instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&n instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&n instanceof ImageBitmap?mo.getDataURL(n):n.data?{data:Array.from(n.data),width:n.width,height:n.height,type:n.data.constructor.name}:(Re("Texture: Unable to serialize Texture."),{})}var Cp=0,vl=new R,Zt=class n extends Mi{constructor(e=n.DEFAULT_IMAGE,t=n.DEFAULT_MAPPING,i=Ci,s=Ci,r=Wt,o=Wi,a=Ai,h=oi,l=n.DEFAULT_ANISOTROPY,c=qi){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:Cp++}),this.uuid=pn(),this.name="",this.source=new rs(e),this.mipmaps=[],this.mapping=t,this.channel=0,this.wrapS=i,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=l,this.format=a,this.internalFormat=null,this.type=h,this.offset=new Te(0,0),this.repeat=new Te(1,1),this.center=new Te(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new Ne,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=c,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(e&&e.depth&&e.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(vl).x}get height(){return this.source.getSize(vl).y}get depth(){return this.source.getSize(vl).z}get image(){return this.source.data}set image(e){this.source.data=e}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(e){return this.name=e.name,this.source=e.source,this.mipmaps=e.mipmaps.slice(0),this.mapping=e.mapping,this.channel=e.channel,this.wrapS=e.wrapS,this.wrapT=e.wrapT,this.magFilter=e.magFilter,this.minFilter=e.minFilter,this.anisotropy=e.anisotropy,this.format=e.format,this.internalFormat=e.internalFormat,this.type=e.type,this.normalized=e.normalized,this.offset.copy(e.offset),this.repeat.copy(e.repeat),this.center.copy(e.center),this.rotation=e.rotation,this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrix.copy(e.matrix),this.generateMipmaps=e.generateMipmaps,this.mipmapsAutoUpdate=e.mipmapsAutoUpdate,this.premultiplyAlpha=e.premultiplyAlpha,this.flipY=e.flipY,this.unpackAlignment=e.unpackAlignment,this.colorSpace=e.colorSpace,this.renderTarget=e.renderTarget,this.isRenderTargetTexture=e.isRenderTargetTexture,this.isPMREMTexture=e.isPMREMTexture,this.isArrayTexture=e.isArrayTexture,this.userData=JSON.parse(JSON.stringify(e.userData)),this.needsUpdate=!0,this}setValues(e){for(let t in e){let i=e[t];if(i===void 0){Re(`Texture.setValues(): parameter '${t}' has value of undefined.`);continue}let s=this[t];if(s===void 0){Re(`Texture.setValues(): property '${t}' does not exist.`);continue}s&&i&&s.isVector2&&i.isVector2||s&&i&&s.isVector3&&i.isVector3||s&&i&&s.isMatrix3&&i.isMatrix3?s.copy(i):this[t]=i}}toJSON(e){let t=e===void 0||typeof e=="string";if(!t&&e.textures[this.uuid]!==void 0)return e.textures[this.uuid];let i={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(e).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(i.userData=this.userData),t||(e.textures[this.uuid]=i),i}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(e){if(this.mapping!==lh)return e;if(e.applyMatrix3(this.matrix),e.x<0||e.x>1)switch(this.wrapS){case uo:e.x=e.x-Math.floor(e.x);break;case Ci:e.x=e.x<0?0:1;break;case fo:Math.abs(Math.floor(e.x)%2)===1?e.x=Math.ceil(e.x)-e.x:e.x=e.x-Math.floor(e.x);break}if(e.y<0||e.y>1)switch(this.wrapT){case uo:e.y=e.y-Math.floor(e.y);break;case Ci:e.y=e.y<0?0:1;break;case fo:Math.abs(Math.floor(e.y)%2)===1?e.y=Math.ceil(e.y)-e.y:e.y=e.y-Math.floor(e.y);break}return this.flipY&&(e.y=1-e.y),e}set needsUpdate(e){e===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(e){e===!0&&this.pmremVersion++}};Zt.DEFAULT_IMAGE=null;Zt.DEFAULT_MAPPING=lh;Zt.DEFAULT_ANISOTROPY=1;var Lh=class Lh{constructor(e=0,t=0,i=0,s=1){this.x=e,this.y=t,this.z=i,this.w=s}get width(){return this.z}set width(e){this.z=e}get height(){return this.w}set height(e){this.w=e}set(e,t,i,s){return this.x=e,this.y=t,this.z=i,this.w=s,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this.w=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setW(e){return this.w=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;case 3:this.w=t;break;default:throw new Error("THREE.Vector4: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this.w=e.w!==void 0?e.w:1,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this.w+=e.w,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this.w+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this.w=e.w+t.w,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this.w+=e.w*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this.w-=e.w,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this.w-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this.w=e.w-t.w,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this.w*=e.w,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this.w*=e,this}applyMatrix4(e){let t=this.x,i=this.y,s=this.z,r=this.w,o=e.elements;return this.x=o[0]*t+o[4]*i+o[8]*s+o[12]*r,this.y=o[1]*t+o[5]*i+o[9]*s+o[13]*r,this.z=o[2]*t+o[6]*i+o[10]*s+o[14]*r,this.w=o[3]*t+o[7]*i+o[11]*s+o[15]*r,this}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this.w/=e.w,this}divideScalar(e){return this.multiplyScalar(1/e)}setAxisAngleFromQuaternion(e){this.w=2*Math.acos(e.w);let t=Math.sqrt(1-e.w*e.w);return t<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=e.x/t,this.y=e.y/t,this.z=e.z/t),this}setAxisAngleFromRotationMatrix(e){let t,i,s,r,h=e.elements,l=h[0],c=h[4],u=h[8],d=h[1],f=h[5],p=h[9],_=h[2],m=h[6],g=h[10];if(Math.abs(c-d)<.01&&Math.abs(u-_)<.01&&Math.abs(p-m)<.01){if(Math.abs(c+d)<.1&&Math.abs(u+_)<.1&&Math.abs(p+m)<.1&&Math.abs(l+f+g-3)<.1)return this.set(1,0,0,0),this;t=Math.PI;let T=(l+1)/2,v=(f+1)/2,E=(g+1)/2,A=(c+d)/4,x=(u+_)/4,S=(p+m)/4;return T>v&&T>E?T<.01?(i=0,s=.707106781,r=.707106781):(i=Math.sqrt(T),s=A/i,r=x/i):v>E?v<.01?(i=.707106781,s=0,r=.707106781):(s=Math.sqrt(v),i=A/s,r=S/s):E<.01?(i=.707106781,s=.707106781,r=0):(r=Math.sqrt(E),i=x/r,s=S/r),this.set(i,s,r,t),this}let M=Math.sqrt((m-p)*(m-p)+(u-_)*(u-_)+(d-c)*(d-c));return Math.abs(M)<.001&&(M=1),this.x=(m-p)/M,this.y=(u-_)/M,this.z=(d-c)/M,this.w=Math.acos((l+f+g-1)/2),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this.w=t[15],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this.w=Math.min(this.w,e.w),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this.w=Math.max(this.w,e.w),this}clamp(e,t){return this.x=Be(this.x,e.x,t.x),this.y=Be(this.y,e.y,t.y),this.z=Be(this.z,e.z,t.z),this.w=Be(this.w,e.w,t.w),this}clampScalar(e,t){return this.x=Be(this.x,e,t),this.y=Be(this.y,e,t),this.z=Be(this.z,e,t),this.w=Be(this.w,e,t),this}clampLength(e,t){let i=this.length();return this.divideScalar(i||1).multiplyScalar(Be(i,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z+this.w*e.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this.w+=(e.w-this.w)*t,this}lerpVectors(e,t,i){return this.x=e.x+(t.x-e.x)*i,this.y=e.y+(t.y-e.y)*i,this.z=e.z+(t.z-e.z)*i,this.w=e.w+(t.w-e.w)*i,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z&&e.w===this.w}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this.w=e[t+3],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e[t+3]=this.w,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this.w=e.getW(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}};Lh.prototype.isVector4=!0;var et=Lh,go=class extends Mi{constructor(e=1,t=1,i={}){super(),i=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:Wt,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},i),this.isRenderTarget=!0,this.width=e,this.height=t,this.depth=i.depth,this.scissor=new et(0,0,e,t),this.scissorTest=!1,this.viewport=new et(0,0,e,t),this.textures=[];let s=i.count;for(let r=0;r<s;r++)this.textures[r]=new Zt({width:e,height:t,depth:i.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(i),this.depthBuffer=i.depthBuffer,this.stencilBuffer=i.stencilBuffer,this.resolveColorBuffer=i.resolveColorBuffer,this.resolveDepthBuffer=i.resolveDepthBuffer,this.resolveStencilBuffer=i.resolveStencilBuffer,this.storeMultisampledColorBuffer=i.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=i.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=i.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=i.depthTexture,this.samples=i.samples,this.multiview=i.multiview,this.useArrayDepthTexture=i.useArrayDepthTexture}_setTextureOptions(e={}){let t={minFilter:Wt,generateMipmaps:!1,flipY:!1,internalFormat:null};e.mapping!==void 0&&(t.mapping=e.mapping),e.wrapS!==void 0&&(t.wrapS=e.wrapS),e.wrapT!==void 0&&(t.wrapT=e.wrapT),e.wrapR!==void 0&&(t.wrapR=e.wrapR),e.magFilter!==void 0&&(t.magFilter=e.magFilter),e.minFilter!==void 0&&(t.minFilter=e.minFilter),e.format!==void 0&&(t.format=e.format),e.type!==void 0&&(t.type=e.type),e.anisotropy!==void 0&&(t.anisotropy=e.anisotropy),e.colorSpace!==void 0&&(t.colorSpace=e.colorSpace),e.flipY!==void 0&&(t.flipY=e.flipY),e.generateMipmaps!==void 0&&(t.generateMipmaps=e.generateMipmaps),e.mipmapsAutoUpdate!==void 0&&(t.mipmapsAutoUpdate=e.mipmapsAutoUpdate),e.internalFormat!==void 0&&(t.internalFormat=e.internalFormat);for(let i=0;i<this.textures.length;i++)this.textures[i].setValues(t)}get texture(){return this.textures[0]}set texture(e){this.textures[0]=e}set depthTexture(e){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),e!==null&&e.renderTarget===null&&(e.renderTarget=this),this._depthTexture=e}get depthTexture(){return this._depthTexture}setSize(e,t,i=1){if(this.width!==e||this.height!==t||this.depth!==i){this.width=e,this.height=t,this.depth=i;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=e,this.textures[s].image.height=t,this.textures[s].image.depth=i,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,e,t),this.scissor.set(0,0,e,t)}clone(){return new this.constructor().copy(this)}copy(e){this.width=e.width,this.height=e.height,this.depth=e.depth,this.scissor.copy(e.scissor),this.scissorTest=e.scissorTest,this.viewport.copy(e.viewport),this.textures.length=0;for(let t=0,i=e.textures.length;t<i;t++){this.textures[t]=e.textures[t].clone(),this.textures[t].isRenderTargetTexture=!0,this.textures[t].renderTarget=this;let s=Object.assign({},e.textures[t].image);this.textures[t].source=new rs(s)}if(this.depthBuffer=e.depthBuffer,this.stencilBuffer=e.stencilBuffer,this.resolveColorBuffer=e.resolveColorBuffer,this.resolveDepthBuffer=e.resolveDepthBuffer,this.resolveStencilBuffer=e.resolveStencilBuffer,this.storeMultisampledColorBuffer=e.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=e.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=e.storeMultisampledStencilBuffer,e.depthTexture!==null)if(e.depthTexture.renderTarget===e){let t=e.depthTexture.clone();t.renderTarget=null,this.depthTexture=t}else this.depthTexture=e.depthTexture;else this.depthTexture=null;return this.samples=e.samples,this.multiview=e.multiview,this.useArrayDepthTexture=e.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},si=class extends go{constructor(e=1,t=1,i={}){super(e,t,i),this.isWebGLRenderTarget=!0}},Hs=class extends Zt{constructor(e=null,t=1,i=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:e,width:t,height:i,depth:s},this.magFilter=At,this.minFilter=At,this.wrapR=Ci,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}addLayerUpdate(e){this.layerUpdates.add(e)}clearLayerUpdates(){this.layerUpdates.clear()}};var xo=class extends Zt{constructor(e=null,t=1,i=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:e,width:t,height:i,depth:s},this.magFilter=At,this.minFilter=At,this.wrapR=Ci,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}};var Oo=class Oo{constructor(e,t,i,s,r,o,a,h,l,c,u,d,f,p,_,m){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],e!==void 0&&this.set(e,t,i,s,r,o,a,h,l,c,u,d,f,p,_,m)}set(e,t,i,s,r,o,a,h,l,c,u,d,f,p,_,m){let g=this.elements;return g[0]=e,g[4]=t,g[8]=i,g[12]=s,g[1]=r,g[5]=o,g[9]=a,g[13]=h,g[2]=l,g[6]=c,g[10]=u,g[14]=d,g[3]=f,g[7]=p,g[11]=_,g[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new Oo().fromArray(this.elements)}copy(e){let t=this.elements,i=e.elements;return t[0]=i[0],t[1]=i[1],t[2]=i[2],t[3]=i[3],t[4]=i[4],t[5]=i[5],t[6]=i[6],t[7]=i[7],t[8]=i[8],t[9]=i[9],t[10]=i[10],t[11]=i[11],t[12]=i[12],t[13]=i[13],t[14]=i[14],t[15]=i[15],this}copyPosition(e){let t=this.elements,i=e.elements;return t[12]=i[12],t[13]=i[13],t[14]=i[14],this}setFromMatrix3(e){let t=e.elements;return this.set(t[0],t[3],t[6],0,t[1],t[4],t[7],0,t[2],t[5],t[8],0,0,0,0,1),this}extractBasis(e,t,i){return this.determinantAffine()===0?(e.set(1,0,0),t.set(0,1,0),i.set(0,0,1),this):(e.setFromMatrixColumn(this,0),t.setFromMatrixColumn(this,1),i.setFromMatrixColumn(this,2),this)}makeBasis(e,t,i){return this.set(e.x,t.x,i.x,0,e.y,t.y,i.y,0,e.z,t.z,i.z,0,0,0,0,1),this}extractRotation(e){if(e.determinantAffine()===0)return this.identity();let t=this.elements,i=e.elements,s=1/Bn.setFromMatrixColumn(e,0).length(),r=1/Bn.setFromMatrixColumn(e,1).length(),o=1/Bn.setFromMatrixColumn(e,2).length();return t[0]=i[0]*s,t[1]=i[1]*s,t[2]=i[2]*s,t[3]=0,t[4]=i[4]*r,t[5]=i[5]*r,t[6]=i[6]*r,t[7]=0,t[8]=i[8]*o,t[9]=i[9]*o,t[10]=i[10]*o,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromEuler(e){let t=this.elements,i=e.x,s=e.y,r=e.z,o=Math.cos(i),a=Math.sin(i),h=Math.cos(s),l=Math.sin(s),c=Math.cos(r),u=Math.sin(r);if(e.order==="XYZ"){let d=o*c,f=o*u,p=a*c,_=a*u;t[0]=h*c,t[4]=-h*u,t[8]=l,t[1]=f+p*l,t[5]=d-_*l,t[9]=-a*h,t[2]=_-d*l,t[6]=p+f*l,t[10]=o*h}else if(e.order==="YXZ"){let d=h*c,f=h*u,p=l*c,_=l*u;t[0]=d+_*a,t[4]=p*a-f,t[8]=o*l,t[1]=o*u,t[5]=o*c,t[9]=-a,t[2]=f*a-p,t[6]=_+d*a,t[10]=o*h}else if(e.order==="ZXY"){let d=h*c,f=h*u,p=l*c,_=l*u;t[0]=d-_*a,t[4]=-o*u,t[8]=p+f*a,t[1]=f+p*a,t[5]=o*c,t[9]=_-d*a,t[2]=-o*l,t[6]=a,t[10]=o*h}else if(e.order==="ZYX"){let d=o*c,f=o*u,p=a*c,_=a*u;t[0]=h*c,t[4]=p*l-f,t[8]=d*l+_,t[1]=h*u,t[5]=_*l+d,t[9]=f*l-p,t[2]=-l,t[6]=a*h,t[10]=o*h}else if(e.order==="YZX"){let d=o*h,f=o*l,p=a*h,_=a*l;t[0]=h*c,t[4]=_-d*u,t[8]=p*u+f,t[1]=u,t[5]=o*c,t[9]=-a*c,t[2]=-l*c,t[6]=f*u+p,t[10]=d-_*u}else if(e.order==="XZY"){let d=o*h,f=o*l,p=a*h,_=a*l;t[0]=h*c,t[4]=-u,t[8]=l*c,t[1]=d*u+_,t[5]=o*c,t[9]=f*u-p,t[2]=p*u-f,t[6]=a*c,t[10]=_*u+d}return t[3]=0,t[7]=0,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromQuaternion(e){return this.compose(Rp,e,Pp)}lookAt(e,t,i){let s=this.elements;return ei.subVectors(e,t),ei.lengthSq()===0&&(ei.z=1),ei.normalize(),Qi.crossVectors(i,ei),Qi.lengthSq()===0&&(Math.abs(i.z)===1?ei.x+=1e-4:ei.z+=1e-4,ei.normalize(),Qi.crossVectors(i,ei)),Qi.normalize(),Lr.crossVectors(ei,Qi),s[0]=Qi.x,s[4]=Lr.x,s[8]=ei.x,s[1]=Qi.y,s[5]=Lr.y,s[9]=ei.y,s[2]=Qi.z,s[6]=Lr.z,s[10]=ei.z,this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let i=e.elements,s=t.elements,r=this.elements,o=i[0],a=i[4],h=i[8],l=i[12],c=i[1],u=i[5],d=i[9],f=i[13],p=i[2],_=i[6],m=i[10],g=i[14],M=i[3],T=i[7],v=i[11],E=i[15],A=s[0],x=s[4],S=s[8],U=s[12],I=s[1],N=s[5],F=s[9],G=s[13],P=s[2],V=s[6],Y=s[10],H=s[14],ie=s[3],q=s[7],Q=s[11],ee=s[15];return r[0]=o*A+a*I+h*P+l*ie,r[4]=o*x+a*N+h*V+l*q,r[8]=o*S+a*F+h*Y+l*Q,r[12]=o*U+a*G+h*H+l*ee,r[1]=c*A+u*I+d*P+f*ie,r[5]=c*x+u*N+d*V+f*q,r[9]=c*S+u*F+d*Y+f*Q,r[13]=c*U+u*G+d*H+f*ee,r[2]=p*A+_*I+m*P+g*ie,r[6]=p*x+_*N+m*V+g*q,r[10]=p*S+_*F+m*Y+g*Q,r[14]=p*U+_*G+m*H+g*ee,r[3]=M*A+T*I+v*P+E*ie,r[7]=M*x+T*N+v*V+E*q,r[11]=M*S+T*F+v*Y+E*Q,r[15]=M*U+T*G+v*H+E*ee,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[4]*=e,t[8]*=e,t[12]*=e,t[1]*=e,t[5]*=e,t[9]*=e,t[13]*=e,t[2]*=e,t[6]*=e,t[10]*=e,t[14]*=e,t[3]*=e,t[7]*=e,t[11]*=e,t[15]*=e,this}determinant(){let e=this.elements,t=e[0],i=e[4],s=e[8],r=e[12],o=e[1],a=e[5],h=e[9],l=e[13],c=e[2],u=e[6],d=e[10],f=e[14],p=e[3],_=e[7],m=e[11],g=e[15],M=h*f-l*d,T=a*f-l*u,v=a*d-h*u,E=o*f-l*c,A=o*d-h*c,x=o*u-a*c;return t*(_*M-m*T+g*v)-i*(p*M-m*E+g*A)+s*(p*T-_*E+g*x)-r*(p*v-_*A+m*x)}determinantAffine(){let e=this.elements,t=e[0],i=e[4],s=e[8],r=e[1],o=e[5],a=e[9],h=e[2],l=e[6],c=e[10];return t*(o*c-a*l)-i*(r*c-a*h)+s*(r*l-o*h)}transpose(){let e=this.elements,t;return t=e[1],e[1]=e[4],e[4]=t,t=e[2],e[2]=e[8],e[8]=t,t=e[6],e[6]=e[9],e[9]=t,t=e[3],e[3]=e[12],e[12]=t,t=e[7],e[7]=e[13],e[13]=t,t=e[11],e[11]=e[14],e[14]=t,this}setPosition(e,t,i){let s=this.elements;return e.isVector3?(s[12]=e.x,s[13]=e.y,s[14]=e.z):(s[12]=e,s[13]=t,s[14]=i),this}invert(){let e=this.elements,t=e[0],i=e[1],s=e[2],r=e[3],o=e[4],a=e[5],h=e[6],l=e[7],c=e[8],u=e[9],d=e[10],f=e[11],p=e[12],_=e[13],m=e[14],g=e[15],M=t*a-i*o,T=t*h-s*o,v=t*l-r*o,E=i*h-s*a,A=i*l-r*a,x=s*l-r*h,S=c*_-u*p,U=c*m-d*p,I=c*g-f*p,N=u*m-d*_,F=u*g-f*_,G=d*g-f*m,P=M*G-T*F+v*N+E*I-A*U+x*S;if(P===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let V=1/P;return e[0]=(a*G-h*F+l*N)*V,e[1]=(s*F-i*G-r*N)*V,e[2]=(_*x-m*A+g*E)*V,e[3]=(d*A-u*x-f*E)*V,e[4]=(h*I-o*G-l*U)*V,e[5]=(t*G-s*I+r*U)*V,e[6]=(m*v-p*x-g*T)*V,e[7]=(c*x-d*v+f*T)*V,e[8]=(o*F-a*I+l*S)*V,e[9]=(i*I-t*F-r*S)*V,e[10]=(p*A-_*v+g*M)*V,e[11]=(u*v-c*A-f*M)*V,e[12]=(a*U-o*N-h*S)*V,e[13]=(t*N-i*U+s*S)*V,e[14]=(_*T-p*E-m*M)*V,e[15]=(c*E-u*T+d*M)*V,this}scale(e){let t=this.elements,i=e.x,s=e.y,r=e.z;return t[0]*=i,t[4]*=s,t[8]*=r,t[1]*=i,t[5]*=s,t[9]*=r,t[2]*=i,t[6]*=s,t[10]*=r,t[3]*=i,t[7]*=s,t[11]*=r,this}getMaxScaleOnAxis(){let e=this.elements,t=e[0]*e[0]+e[1]*e[1]+e[2]*e[2],i=e[4]*e[4]+e[5]*e[5]+e[6]*e[6],s=e[8]*e[8]+e[9]*e[9]+e[10]*e[10];return Math.sqrt(Math.max(t,i,s))}makeTranslation(e,t,i){return e.isVector3?this.set(1,0,0,e.x,0,1,0,e.y,0,0,1,e.z,0,0,0,1):this.set(1,0,0,e,0,1,0,t,0,0,1,i,0,0,0,1),this}makeRotationX(e){let t=Math.cos(e),i=Math.sin(e);return this.set(1,0,0,0,0,t,-i,0,0,i,t,0,0,0,0,1),this}makeRotationY(e){let t=Math.cos(e),i=Math.sin(e);return this.set(t,0,i,0,0,1,0,0,-i,0,t,0,0,0,0,1),this}makeRotationZ(e){let t=Math.cos(e),i=Math.sin(e);return this.set(t,-i,0,0,i,t,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(e,t){let i=Math.cos(t),s=Math.sin(t),r=1-i,o=e.x,a=e.y,h=e.z,l=r*o,c=r*a;return this.set(l*o+i,l*a-s*h,l*h+s*a,0,l*a+s*h,c*a+i,c*h-s*o,0,l*h-s*a,c*h+s*o,r*h*h+i,0,0,0,0,1),this}makeScale(e,t,i){return this.set(e,0,0,0,0,t,0,0,0,0,i,0,0,0,0,1),this}makeShear(e,t,i,s,r,o){return this.set(1,i,r,0,e,1,o,0,t,s,1,0,0,0,0,1),this}compose(e,t,i){let s=this.elements,r=t._x,o=t._y,a=t._z,h=t._w,l=r+r,c=o+o,u=a+a,d=r*l,f=r*c,p=r*u,_=o*c,m=o*u,g=a*u,M=h*l,T=h*c,v=h*u,E=i.x,A=i.y,x=i.z;return s[0]=(1-(_+g))*E,s[1]=(f+v)*E,s[2]=(p-T)*E,s[3]=0,s[4]=(f-v)*A,s[5]=(1-(d+g))*A,s[6]=(m+M)*A,s[7]=0,s[8]=(p+T)*x,s[9]=(m-M)*x,s[10]=(1-(d+_))*x,s[11]=0,s[12]=e.x,s[13]=e.y,s[14]=e.z,s[15]=1,this}decompose(e,t,i){let s=this.elements;e.x=s[12],e.y=s[13],e.z=s[14];let r=this.determinantAffine();if(r===0)return i.set(1,1,1),t.identity(),this;let o=Bn.set(s[0],s[1],s[2]).length(),a=Bn.set(s[4],s[5],s[6]).length(),h=Bn.set(s[8],s[9],s[10]).length();r<0&&(o=-o),xi.copy(this);let l=1/o,c=1/a,u=1/h;return xi.elements[0]*=l,xi.elements[1]*=l,xi.elements[2]*=l,xi.elements[4]*=c,xi.elements[5]*=c,xi.elements[6]*=c,xi.elements[8]*=u,xi.elements[9]*=u,xi.elements[10]*=u,t.setFromRotationMatrix(xi),i.x=o,i.y=a,i.z=h,this}makePerspective(e,t,i,s,r,o,a=di,h=!1){let l=this.elements,c=2*r/(t-e),u=2*r/(i-s),d=(t+e)/(t-e),f=(i+s)/(i-s),p,_;if(h)p=r/(o-r),_=o*r/(o-r);else if(a===di)p=-(o+r)/(o-r),_=-2*o*r/(o-r);else if(a===zs)p=-o/(o-r),_=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return l[0]=c,l[4]=0,l[8]=d,l[12]=0,l[1]=0,l[5]=u,l[9]=f,l[13]=0,l[2]=0,l[6]=0,l[10]=p,l[14]=_,l[3]=0,l[7]=0,l[11]=-1,l[15]=0,this}makeOrthographic(e,t,i,s,r,o,a=di,h=!1){let l=this.elements,c=2/(t-e),u=2/(i-s),d=-(t+e)/(t-e),f=-(i+s)/(i-s),p,_;if(h)p=1/(o-r),_=o/(o-r);else if(a===di)p=-2/(o-r),_=-(o+r)/(o-r);else if(a===zs)p=-1/(o-r),_=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return l[0]=c,l[4]=0,l[8]=0,l[12]=d,l[1]=0,l[5]=u,l[9]=0,l[13]=f,l[2]=0,l[6]=0,l[10]=p,l[14]=_,l[3]=0,l[7]=0,l[11]=0,l[15]=1,this}equals(e){let t=this.elements,i=e.elements;for(let s=0;s<16;s++)if(t[s]!==i[s])return!1;return!0}fromArray(e,t=0){for(let i=0;i<16;i++)this.elements[i]=e[i+t];return this}toArray(e=[],t=0){let i=this.elements;return e[t]=i[0],e[t+1]=i[1],e[t+2]=i[2],e[t+3]=i[3],e[t+4]=i[4],e[t+5]=i[5],e[t+6]=i[6],e[t+7]=i[7],e[t+8]=i[8],e[t+9]=i[9],e[t+10]=i[10],e[t+11]=i[11],e[t+12]=i[12],e[t+13]=i[13],e[t+14]=i[14],e[t+15]=i[15],e}};Oo.prototype.isMatrix4=!0;var Ke=Oo,Bn=new R,xi=new Ke,Rp=new R(0,0,0),Pp=new R(1,1,1),Qi=new R,Lr=new R,ei=new R,Wc=new Ke,Xc=new Ft,rn=class n{constructor(e=0,t=0,i=0,s=n.DEFAULT_ORDER){this.isEuler=!0,this._x=e,this._y=t,this._z=i,this._order=s}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get order(){return this._order}set order(e){this._order=e,this._onChangeCallback()}set(e,t,i,s=this._order){return this._x=e,this._y=t,this._z=i,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(e){return this._x=e._x,this._y=e._y,this._z=e._z,this._order=e._order,this._onChangeCallback(),this}setFromRotationMatrix(e,t=this._order,i=!0){let s=e.elements,r=s[0],o=s[4],a=s[8],h=s[1],l=s[5],c=s[9],u=s[2],d=s[6],f=s[10];switch(t){case"XYZ":this._y=Math.asin(Be(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-c,f),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(d,l),this._z=0);break;case"YXZ":this._x=Math.asin(-Be(c,-1,1)),Math.abs(c)<.9999999?(this._y=Math.atan2(a,f),this._z=Math.atan2(h,l)):(this._y=Math.atan2(-u,r),this._z=0);break;case"ZXY":this._x=Math.asin(Be(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-u,f),this._z=Math.atan2(-o,l)):(this._y=0,this._z=Math.atan2(h,r));break;case"ZYX":this._y=Math.asin(-Be(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(d,f),this._z=Math.atan2(h,r)):(this._x=0,this._z=Math.atan2(-o,l));break;case"YZX":this._z=Math.asin(Be(h,-1,1)),Math.abs(h)<.9999999?(this._x=Math.atan2(-c,l),this._y=Math.atan2(-u,r)):(this._x=0,this._y=Math.atan2(a,f));break;case"XZY":this._z=Math.asin(-Be(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(d,l),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-c,f),this._y=0);break;default:Re("Euler: .setFromRotationMatrix() encountered an unknown order: "+t)}return this._order=t,i===!0&&this._onChangeCallback(),this}setFromQuaternion(e,t,i){return Wc.makeRotationFromQuaternion(e),this.setFromRotationMatrix(Wc,t,i)}setFromVector3(e,t=this._order){return this.set(e.x,e.y,e.z,t)}reorder(e){return Xc.setFromEuler(this),this.setFromQuaternion(Xc,e)}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._order===this._order}fromArray(e){return this._x=e[0],this._y=e[1],this._z=e[2],e[3]!==void 0&&(this._order=e[3]),this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._order,e}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};rn.DEFAULT_ORDER="XYZ";var os=class{constructor(){this.mask=1}set(e){this.mask=(1<<e|0)>>>0}enable(e){this.mask|=1<<e|0}enableAll(){this.mask=-1}toggle(e){this.mask^=1<<e|0}disable(e){this.mask&=~(1<<e|0)}disableAll(){this.mask=0}test(e){return(this.mask&e.mask)!==0}isEnabled(e){return(this.mask&(1<<e|0))!==0}},Ip=0,qc=new R,zn=new Ft,Ui=new Ke,Dr=new R,Cs=new R,Lp=new R,Dp=new Ft,Yc=new R(1,0,0),$c=new R(0,1,0),Zc=new R(0,0,1),Jc={type:"added"},Np={type:"removed"},kn={type:"childadded",child:null},wl={type:"childremoved",child:null},fi=class n extends Mi{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:Ip++}),this.uuid=pn(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=n.DEFAULT_UP.clone();let e=new R,t=new rn,i=new Ft,s=new R(1,1,1);function r(){i.setFromEuler(t,!1)}function o(){t.setFromQuaternion(i,void 0,!1)}t._onChange(r),i._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:e},rotation:{configurable:!0,enumerable:!0,value:t},quaternion:{configurable:!0,enumerable:!0,value:i},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new Ke},normalMatrix:{value:new Ne}}),this.matrix=new Ke,this.matrixWorld=new Ke,this.matrixAutoUpdate=n.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=n.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new os,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(e){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(e),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(e){return this.quaternion.premultiply(e),this}setRotationFromAxisAngle(e,t){this.quaternion.setFromAxisAngle(e,t)}setRotationFromEuler(e){this.quaternion.setFromEuler(e,!0)}setRotationFromMatrix(e){this.quaternion.setFromRotationMatrix(e)}setRotationFromQuaternion(e){this.quaternion.copy(e)}rotateOnAxis(e,t){return zn.setFromAxisAngle(e,t),this.quaternion.multiply(zn),this}rotateOnWorldAxis(e,t){return zn.setFromAxisAngle(e,t),this.quaternion.premultiply(zn),this}rotateX(e){return this.rotateOnAxis(Yc,e)}rotateY(e){return this.rotateOnAxis($c,e)}rotateZ(e){return this.rotateOnAxis(Zc,e)}translateOnAxis(e,t){return qc.copy(e).applyQuaternion(this.quaternion),this.position.add(qc.multiplyScalar(t)),this}translateX(e){return this.translateOnAxis(Yc,e)}translateY(e){return this.translateOnAxis($c,e)}translateZ(e){return this.translateOnAxis(Zc,e)}localToWorld(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(this.matrixWorld)}worldToLocal(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(Ui.copy(this.matrixWorld).invert())}lookAt(e,t,i){e.isVector3?Dr.copy(e):Dr.set(e,t,i);let s=this.parent;this.updateWorldMatrix(!0,!1),Cs.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?Ui.lookAt(Cs,Dr,this.up):Ui.lookAt(Dr,Cs,this.up),this.quaternion.setFromRotationMatrix(Ui),s&&(Ui.extractRotation(s.matrixWorld),zn.setFromRotationMatrix(Ui),this.quaternion.premultiply(zn.invert()))}add(e){if(arguments.length>1){for(let t=0;t<arguments.length;t++)this.add(arguments[t]);return this}return e===this?(De("Object3D.add: object can't be added as a child of itself.",e),this):(e&&e.isObject3D?(e.removeFromParent(),e.parent=this,this.children.push(e),e.dispatchEvent(Jc),kn.child=e,this.dispatchEvent(kn),kn.child=null):De("Object3D.add: object not an instance of THREE.Object3D.",e),this)}remove(e){if(arguments.length>1){for(let i=0;i<arguments.length;i++)this.remove(arguments[i]);return this}let t=this.children.indexOf(e);return t!==-1&&(e.parent=null,this.children.splice(t,1),e.dispatchEvent(Np),wl.child=e,this.dispatchEvent(wl),wl.child=null),this}removeFromParent(){let e=this.parent;return e!==null&&e.remove(this),this}clear(){return this.remove(...this.children)}attach(e){return this.updateWorldMatrix(!0,!1),Ui.copy(this.matrixWorld).invert(),e.parent!==null&&(e.parent.updateWorldMatrix(!0,!1),Ui.multiply(e.parent.matrixWorld)),e.applyMatrix4(Ui),e.removeFromParent(),e.parent=this,this.children.push(e),e.updateWorldMatrix(!1,!0),e.dispatchEvent(Jc),kn.child=e,this.dispatchEvent(kn),kn.child=null,this}getObjectById(e){return this.getObjectByProperty("id",e)}getObjectByName(e){return this.getObjectByProperty("name",e)}getObjectByProperty(e,t){if(this[e]===t)return this;for(let i=0,s=this.children.length;i<s;i++){let o=this.children[i].getObjectByProperty(e,t);if(o!==void 0)return o}}getObjectsByProperty(e,t,i=[]){this[e]===t&&i.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(e,t,i);return i}getWorldPosition(e){return this.updateWorldMatrix(!0,!1),e.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Cs,e,Lp),e}getWorldScale(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Cs,Dp,e),e}getWorldDirection(e){this.updateWorldMatrix(!0,!1);let t=this.matrixWorld.elements;return e.set(t[8],t[9],t[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(e){e(this);let t=this.children;for(let i=0,s=t.length;i<s;i++)t[i].traverse(e)}traverseVisible(e){if(this.visible===!1)return;e(this);let t=this.children;for(let i=0,s=t.length;i<s;i++)t[i].traverseVisible(e)}traverseAncestors(e){let t=this.parent;t!==null&&(e(t),t.traverseAncestors(e))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let e=this.pivot;if(e!==null){let t=e.x,i=e.y,s=e.z,r=this.matrix.elements;r[12]+=t-r[0]*t-r[4]*i-r[8]*s,r[13]+=i-r[1]*t-r[5]*i-r[9]*s,r[14]+=s-r[2]*t-r[6]*i-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(e){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||e)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,e=!0);let t=this.children;for(let i=0,s=t.length;i<s;i++)t[i].updateMatrixWorld(e)}updateWorldMatrix(e,t,i=!1){let s=this.parent;if(e===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||i)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,i=!0),t===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,i)}}toJSON(e){let t=e===void 0||typeof e=="string",i={};t&&(e={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},i.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(e),s.indirectTexture=this._indirectTexture.toJSON(e),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(e)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,h){return a[h.uuid]===void 0&&(a[h.uuid]=h.toJSON(e)),h.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(e).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(e).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(e.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let h=a.shapes;if(Array.isArray(h))for(let l=0,c=h.length;l<c;l++){let u=h[l];r(e.shapes,u)}else r(e.shapes,h)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(e.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let h=0,l=this.material.length;h<l;h++)a.push(r(e.materials,this.material[h]));s.material=a}else s.material=r(e.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(e).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let h=this.animations[a];s.animations.push(r(e.animations,h))}}if(t){let a=o(e.geometries),h=o(e.materials),l=o(e.textures),c=o(e.images),u=o(e.shapes),d=o(e.skeletons),f=o(e.animations),p=o(e.nodes);a.length>0&&(i.geometries=a),h.length>0&&(i.materials=h),l.length>0&&(i.textures=l),c.length>0&&(i.images=c),u.length>0&&(i.shapes=u),d.length>0&&(i.skeletons=d),f.length>0&&(i.animations=f),p.length>0&&(i.nodes=p)}return i.object=s,i;function o(a){let h=[];for(let l in a){let c=a[l];delete c.metadata,h.push(c)}return h}}clone(e){return new this.constructor().copy(this,e)}copy(e,t=!0){if(this.name=e.name,this.up.copy(e.up),this.position.copy(e.position),this.rotation.order=e.rotation.order,this.quaternion.copy(e.quaternion),this.scale.copy(e.scale),this.pivot=e.pivot!==null?e.pivot.clone():null,this.matrix.copy(e.matrix),this.matrixWorld.copy(e.matrixWorld),this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrixWorldAutoUpdate=e.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=e.matrixWorldNeedsUpdate,this.layers.mask=e.layers.mask,this.visible=e.visible,this.castShadow=e.castShadow,this.receiveShadow=e.receiveShadow,this.frustumCulled=e.frustumCulled,this.renderOrder=e.renderOrder,this.static=e.static,this.animations=e.animations.slice(),this.userData=JSON.parse(JSON.stringify(e.userData)),t===!0)for(let i=0;i<e.children.length;i++){let s=e.children[i];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};fi.DEFAULT_UP=new R(0,1,0);fi.DEFAULT_MATRIX_AUTO_UPDATE=!0;fi.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var bi=class extends fi{constructor(){super(),this.isGroup=!0,this.type="Group"}},Up={type:"move"},as=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new bi,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new bi,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new R,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new R),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new bi,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new R,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new R,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(e){return this._targetRay!==null&&this._targetRay.dispatchEvent(e),this._grip!==null&&this._grip.dispatchEvent(e),this._hand!==null&&this._hand.dispatchEvent(e),this}connect(e){if(e&&e.hand){let t=this._hand;if(t)for(let i of e.hand.values())this._getHandJoint(t,i)}return this.dispatchEvent({type:"connected",data:e}),this}disconnect(e){return this.dispatchEvent({type:"disconnected",data:e}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(e,t,i){let s=null,r=null,o=null,a=this._targetRay,h=this._grip,l=this._hand;if(e&&t.session.visibilityState!=="visible-blurred"){if(l&&e.hand){o=!0;for(let _ of e.hand.values()){let m=t.getJointPose(_,i),g=this._getHandJoint(l,_);m!==null&&(g.matrix.fromArray(m.transform.matrix),g.matrix.decompose(g.position,g.quaternion,g.scale),g.matrixWorldNeedsUpdate=!0,g.jointRadius=m.radius),g.visible=m!==null}let c=l.joints["index-finger-tip"],u=l.joints["thumb-tip"],d=c.position.distanceTo(u.position),f=.02,p=.005;l.inputState.pinching&&d>f+p?(l.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:e.handedness,target:this})):!l.inputState.pinching&&d<=f-p&&(l.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:e.handedness,target:this}))}else h!==null&&e.gripSpace&&(r=t.getPose(e.gripSpace,i),r!==null&&(h.matrix.fromArray(r.transform.matrix),h.matrix.decompose(h.position,h.quaternion,h.scale),h.matrixWorldNeedsUpdate=!0,r.linearVelocity?(h.hasLinearVelocity=!0,h.linearVelocity.copy(r.linearVelocity)):h.hasLinearVelocity=!1,r.angularVelocity?(h.hasAngularVelocity=!0,h.angularVelocity.copy(r.angularVelocity)):h.hasAngularVelocity=!1,h.eventsEnabled&&h.dispatchEvent({type:"gripUpdated",data:e,target:this})));a!==null&&(s=t.getPose(e.targetRaySpace,i),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(Up)))}return a!==null&&(a.visible=s!==null),h!==null&&(h.visible=r!==null),l!==null&&(l.visible=o!==null),this}_getHandJoint(e,t){if(e.joints[t.jointName]===void 0){let i=new bi;i.matrixAutoUpdate=!1,i.visible=!1,e.joints[t.jointName]=i,e.add(i)}return e.joints[t.jointName]}},Ju={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},en={h:0,s:0,l:0},Nr={h:0,s:0,l:0};function Al(n,e,t){return t<0&&(t+=1),t>1&&(t-=1),t<1/6?n+(e-n)*6*t:t<1/2?e:t<2/3?n+(e-n)*6*(2/3-t):n}var Pe=class{constructor(e,t,i){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(e,t,i)}set(e,t,i){if(t===void 0&&i===void 0){let s=e;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(e,t,i);return this}setScalar(e){return this.r=e,this.g=e,this.b=e,this}setHex(e,t=ii){return e=Math.floor(e),this.r=(e>>16&255)/255,this.g=(e>>8&255)/255,this.b=(e&255)/255,qe.colorSpaceToWorking(this,t),this}setRGB(e,t,i,s=qe.workingColorSpace){return this.r=e,this.g=t,this.b=i,qe.colorSpaceToWorking(this,s),this}setHSL(e,t,i,s=qe.workingColorSpace){if(e=Mh(e,1),t=Be(t,0,1),i=Be(i,0,1),t===0)this.r=this.g=this.b=i;else{let r=i<=.5?i*(1+t):i+t-i*t,o=2*i-r;this.r=Al(o,r,e+1/3),this.g=Al(o,r,e),this.b=Al(o,r,e-1/3)}return qe.colorSpaceToWorking(this,s),this}setStyle(e,t=ii){function i(r){r!==void 0&&parseFloat(r)<1&&Re("Color: Alpha component of "+e+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(e)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return i(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,t);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return i(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,t);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return i(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,t);break;default:Re("Color: Unknown color model "+e)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(e)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,t);if(o===6)return this.setHex(parseInt(r,16),t);Re("Color: Invalid hex color "+e)}else if(e&&e.length>0)return this.setColorName(e,t);return this}setColorName(e,t=ii){let i=Ju[e.toLowerCase()];return i!==void 0?this.setHex(i,t):Re("Color: Unknown color "+e),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(e){return this.r=e.r,this.g=e.g,this.b=e.b,this}copySRGBToLinear(e){return this.r=Gi(e.r),this.g=Gi(e.g),this.b=Gi(e.b),this}copyLinearToSRGB(e){return this.r=es(e.r),this.g=es(e.g),this.b=es(e.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(e=ii){return qe.workingToColorSpace(Ot.copy(this),e),Math.round(Be(Ot.r*255,0,255))*65536+Math.round(Be(Ot.g*255,0,255))*256+Math.round(Be(Ot.b*255,0,255))}getHexString(e=ii){return("000000"+this.getHex(e).toString(16)).slice(-6)}getHSL(e,t=qe.workingColorSpace){qe.workingToColorSpace(Ot.copy(this),t);let i=Ot.r,s=Ot.g,r=Ot.b,o=Math.max(i,s,r),a=Math.min(i,s,r),h,l,c=(a+o)/2;if(a===o)h=0,l=0;else{let u=o-a;switch(l=c<=.5?u/(o+a):u/(2-o-a),o){case i:h=(s-r)/u+(s<r?6:0);break;case s:h=(r-i)/u+2;break;case r:h=(i-s)/u+4;break}h/=6}return e.h=h,e.s=l,e.l=c,e}getRGB(e,t=qe.workingColorSpace){return qe.workingToColorSpace(Ot.copy(this),t),e.r=Ot.r,e.g=Ot.g,e.b=Ot.b,e}getStyle(e=ii){qe.workingToColorSpace(Ot.copy(this),e);let t=Ot.r,i=Ot.g,s=Ot.b;return e!==ii?`color(${e} ${t.toFixed(3)} ${i.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(t*255)},${Math.round(i*255)},${Math.round(s*255)})`}offsetHSL(e,t,i){return this.getHSL(en),this.setHSL(en.h+e,en.s+t,en.l+i)}add(e){return this.r+=e.r,this.g+=e.g,this.b+=e.b,this}addColors(e,t){return this.r=e.r+t.r,this.g=e.g+t.g,this.b=e.b+t.b,this}addScalar(e){return this.r+=e,this.g+=e,this.b+=e,this}sub(e){return this.r=Math.max(0,this.r-e.r),this.g=Math.max(0,this.g-e.g),this.b=Math.max(0,this.b-e.b),this}multiply(e){return this.r*=e.r,this.g*=e.g,this.b*=e.b,this}multiplyScalar(e){return this.r*=e,this.g*=e,this.b*=e,this}lerp(e,t){return this.r+=(e.r-this.r)*t,this.g+=(e.g-this.g)*t,this.b+=(e.b-this.b)*t,this}lerpColors(e,t,i){return this.r=e.r+(t.r-e.r)*i,this.g=e.g+(t.g-e.g)*i,this.b=e.b+(t.b-e.b)*i,this}lerpHSL(e,t){this.getHSL(en),e.getHSL(Nr);let i=Us(en.h,Nr.h,t),s=Us(en.s,Nr.s,t),r=Us(en.l,Nr.l,t);return this.setHSL(i,s,r),this}setFromVector3(e){return this.r=e.x,this.g=e.y,this.b=e.z,this}applyMatrix3(e){let t=this.r,i=this.g,s=this.b,r=e.elements;return this.r=r[0]*t+r[3]*i+r[6]*s,this.g=r[1]*t+r[4]*i+r[7]*s,this.b=r[2]*t+r[5]*i+r[8]*s,this}equals(e){return e.r===this.r&&e.g===this.g&&e.b===this.b}fromArray(e,t=0){return this.r=e[t],this.g=e[t+1],this.b=e[t+2],this}toArray(e=[],t=0){return e[t]=this.r,e[t+1]=this.g,e[t+2]=this.b,e}fromBufferAttribute(e,t){return this.r=e.getX(t),this.g=e.getY(t),this.b=e.getZ(t),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Ot=new Pe;Pe.NAMES=Ju;var Vs=class extends fi{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new rn,this.environmentIntensity=1,this.environmentRotation=new rn,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(e,t){return super.copy(e,t),this.background=e.background!==null?e.background.clone():null,this.environment=e.environment!==null?e.environment.clone():null,this.fog=e.fog!==null?e.fog.clone():null,this.backgroundBlurriness=e.backgroundBlurriness,this.backgroundIntensity=e.backgroundIntensity,this.backgroundRotation.copy(e.backgroundRotation),this.environmentIntensity=e.environmentIntensity,this.environmentRotation.copy(e.environmentRotation),this.overrideMaterial=e.overrideMaterial!==null?e.overrideMaterial.clone():null,this.matrixAutoUpdate=e.matrixAutoUpdate,this}toJSON(e){let t=super.toJSON(e);return this.fog!==null&&(t.object.fog=this.fog.toJSON()),t.object.backgroundBlurriness=this.backgroundBlurriness,t.object.backgroundIntensity=this.backgroundIntensity,t.object.backgroundRotation=this.backgroundRotation.toArray(),t.object.environmentIntensity=this.environmentIntensity,t.object.environmentRotation=this.environmentRotation.toArray(),t}},yi=new R,Oi=new R,Tl=new R,Fi=new R,Gn=new R,Hn=new R,Kc=new R,El=new R,Cl=new R,Rl=new R,Pl=new et,Il=new et,Ll=new et,ki=class n{constructor(e=new R,t=new R,i=new R){this.a=e,this.b=t,this.c=i}static getNormal(e,t,i,s){s.subVectors(i,t),yi.subVectors(e,t),s.cross(yi);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(e,t,i,s,r){yi.subVectors(s,t),Oi.subVectors(i,t),Tl.subVectors(e,t);let o=yi.dot(yi),a=yi.dot(Oi),h=yi.dot(Tl),l=Oi.dot(Oi),c=Oi.dot(Tl),u=o*l-a*a;if(u===0)return r.set(0,0,0),null;let d=1/u,f=(l*h-a*c)*d,p=(o*c-a*h)*d;return r.set(1-f-p,p,f)}static containsPoint(e,t,i,s){return this.getBarycoord(e,t,i,s,Fi)===null?!1:Fi.x>=0&&Fi.y>=0&&Fi.x+Fi.y<=1}static getInterpolation(e,t,i,s,r,o,a,h){return this.getBarycoord(e,t,i,s,Fi)===null?(h.x=0,h.y=0,"z"in h&&(h.z=0),"w"in h&&(h.w=0),null):(h.setScalar(0),h.addScaledVector(r,Fi.x),h.addScaledVector(o,Fi.y),h.addScaledVector(a,Fi.z),h)}static getInterpolatedAttribute(e,t,i,s,r,o){return Pl.setScalar(0),Il.setScalar(0),Ll.setScalar(0),Pl.fromBufferAttribute(e,t),Il.fromBufferAttribute(e,i),Ll.fromBufferAttribute(e,s),o.setScalar(0),o.addScaledVector(Pl,r.x),o.addScaledVector(Il,r.y),o.addScaledVector(Ll,r.z),o}static isFrontFacing(e,t,i,s){return yi.subVectors(i,t),Oi.subVectors(e,t),yi.cross(Oi).dot(s)<0}set(e,t,i){return this.a.copy(e),this.b.copy(t),this.c.copy(i),this}setFromPointsAndIndices(e,t,i,s){return this.a.copy(e[t]),this.b.copy(e[i]),this.c.copy(e[s]),this}setFromAttributeAndIndices(e,t,i,s){return this.a.fromBufferAttribute(e,t),this.b.fromBufferAttribute(e,i),this.c.fromBufferAttribute(e,s),this}clone(){return new this.constructor().copy(this)}copy(e){return this.a.copy(e.a),this.b.copy(e.b),this.c.copy(e.c),this}getArea(){return yi.subVectors(this.c,this.b),Oi.subVectors(this.a,this.b),yi.cross(Oi).length()*.5}getMidpoint(e){return e.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(e){return n.getNormal(this.a,this.b,this.c,e)}getPlane(e){return e.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(e,t){return n.getBarycoord(e,this.a,this.b,this.c,t)}getInterpolation(e,t,i,s,r){return n.getInterpolation(e,this.a,this.b,this.c,t,i,s,r)}containsPoint(e){return n.containsPoint(e,this.a,this.b,this.c)}isFrontFacing(e){return n.isFrontFacing(this.a,this.b,this.c,e)}intersectsBox(e){return e.intersectsTriangle(this)}closestPointToPoint(e,t){let i=this.a,s=this.b,r=this.c,o,a;Gn.subVectors(s,i),Hn.subVectors(r,i),El.subVectors(e,i);let h=Gn.dot(El),l=Hn.dot(El);if(h<=0&&l<=0)return t.copy(i);Cl.subVectors(e,s);let c=Gn.dot(Cl),u=Hn.dot(Cl);if(c>=0&&u<=c)return t.copy(s);let d=h*u-c*l;if(d<=0&&h>=0&&c<=0&&h-c>0)return o=h/(h-c),t.copy(i).addScaledVector(Gn,o);Rl.subVectors(e,r);let f=Gn.dot(Rl),p=Hn.dot(Rl);if(p>=0&&f<=p)return t.copy(r);let _=f*l-h*p;if(_<=0&&l>=0&&p<=0)return a=l/(l-p),t.copy(i).addScaledVector(Hn,a);let m=c*p-f*u;if(m<=0&&u-c>=0&&f-p>=0)return Kc.subVectors(r,s),a=(u-c)/(u-c+(f-p)),t.copy(s).addScaledVector(Kc,a);let g=1/(m+_+d);return o=_*g,a=d*g,t.copy(i).addScaledVector(Gn,o).addScaledVector(Hn,a)}equals(e){return e.a.equals(this.a)&&e.b.equals(this.b)&&e.c.equals(this.c)}},Xt=class{constructor(e=new R(1/0,1/0,1/0),t=new R(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=e,this.max=t}set(e,t){return this.min.copy(e),this.max.copy(t),this}setFromArray(e){this.makeEmpty();for(let t=0,i=e.length;t<i;t+=3)this.expandByPoint(_i.fromArray(e,t));return this}setFromBufferAttribute(e){this.makeEmpty();for(let t=0,i=e.count;t<i;t++)this.expandByPoint(_i.fromBufferAttribute(e,t));return this}setFromPoints(e){this.makeEmpty();for(let t=0,i=e.length;t<i;t++)this.expandByPoint(e[t]);return this}setFromCenterAndSize(e,t){let i=_i.copy(t).multiplyScalar(.5);return this.min.copy(e).sub(i),this.max.copy(e).add(i),this}setFromObject(e,t=!1){return this.makeEmpty(),this.expandByObject(e,t)}clone(){return new this.constructor().copy(this)}copy(e){return this.min.copy(e.min),this.max.copy(e.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(e){return this.isEmpty()?e.set(0,0,0):e.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(e){return this.isEmpty()?e.set(0,0,0):e.subVectors(this.max,this.min)}expandByPoint(e){return this.min.min(e),this.max.max(e),this}expandByVector(e){return this.min.sub(e),this.max.add(e),this}expandByScalar(e){return this.min.addScalar(-e),this.max.addScalar(e),this}expandByObject(e,t=!1){e.updateWorldMatrix(!1,!1);let i=e.geometry;if(i!==void 0){let r=i.getAttribute("position");if(t===!0&&r!==void 0&&e.isInstancedMesh!==!0&&e.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)e.isMesh===!0?e.getVertexPosition(o,_i):_i.fromBufferAttribute(r,o),_i.applyMatrix4(e.matrixWorld),this.expandByPoint(_i);else e.boundingBox!==void 0?(e.boundingBox===null&&e.computeBoundingBox(),Ur.copy(e.boundingBox)):(i.boundingBox===null&&i.computeBoundingBox(),Ur.copy(i.boundingBox)),Ur.applyMatrix4(e.matrixWorld),this.union(Ur)}let s=e.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],t);return this}containsPoint(e){return e.x>=this.min.x&&e.x<=this.max.x&&e.y>=this.min.y&&e.y<=this.max.y&&e.z>=this.min.z&&e.z<=this.max.z}containsBox(e){return this.min.x<=e.min.x&&e.max.x<=this.max.x&&this.min.y<=e.min.y&&e.max.y<=this.max.y&&this.min.z<=e.min.z&&e.max.z<=this.max.z}getParameter(e,t){return t.set((e.x-this.min.x)/(this.max.x-this.min.x),(e.y-this.min.y)/(this.max.y-this.min.y),(e.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(e){return e.max.x>=this.min.x&&e.min.x<=this.max.x&&e.max.y>=this.min.y&&e.min.y<=this.max.y&&e.max.z>=this.min.z&&e.min.z<=this.max.z}intersectsSphere(e){return this.clampPoint(e.center,_i),_i.distanceToSquared(e.center)<=e.radius*e.radius}intersectsPlane(e){let t,i;return e.normal.x>0?(t=e.normal.x*this.min.x,i=e.normal.x*this.max.x):(t=e.normal.x*this.max.x,i=e.normal.x*this.min.x),e.normal.y>0?(t+=e.normal.y*this.min.y,i+=e.normal.y*this.max.y):(t+=e.normal.y*this.max.y,i+=e.normal.y*this.min.y),e.normal.z>0?(t+=e.normal.z*this.min.z,i+=e.normal.z*this.max.z):(t+=e.normal.z*this.max.z,i+=e.normal.z*this.min.z),t<=-e.constant&&i>=-e.constant}intersectsTriangle(e){if(this.isEmpty())return!1;this.getCenter(Rs),Or.subVectors(this.max,Rs),Vn.subVectors(e.a,Rs),Wn.subVectors(e.b,Rs),Xn.subVectors(e.c,Rs),tn.subVectors(Wn,Vn),nn.subVectors(Xn,Wn),Mn.subVectors(Vn,Xn);let t=[0,-tn.z,tn.y,0,-nn.z,nn.y,0,-Mn.z,Mn.y,tn.z,0,-tn.x,nn.z,0,-nn.x,Mn.z,0,-Mn.x,-tn.y,tn.x,0,-nn.y,nn.x,0,-Mn.y,Mn.x,0];return!Dl(t,Vn,Wn,Xn,Or)||(t=[1,0,0,0,1,0,0,0,1],!Dl(t,Vn,Wn,Xn,Or))?!1:(Fr.crossVectors(tn,nn),t=[Fr.x,Fr.y,Fr.z],Dl(t,Vn,Wn,Xn,Or))}clampPoint(e,t){return t.copy(e).clamp(this.min,this.max)}distanceToPoint(e){return this.clampPoint(e,_i).distanceTo(e)}getBoundingSphere(e){return this.isEmpty()?e.makeEmpty():(this.getCenter(e.center),e.radius=this.getSize(_i).length()*.5),e}intersect(e){return this.min.max(e.min),this.max.min(e.max),this.isEmpty()&&this.makeEmpty(),this}union(e){return this.min.min(e.min),this.max.max(e.max),this}applyMatrix4(e){return this.isEmpty()?this:(Bi[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(e),Bi[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(e),Bi[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(e),Bi[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(e),Bi[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(e),Bi[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(e),Bi[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(e),Bi[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(e),this.setFromPoints(Bi),this)}translate(e){return this.min.add(e),this.max.add(e),this}equals(e){return e.min.equals(this.min)&&e.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(e){return this.min.fromArray(e.min),this.max.fromArray(e.max),this}},Bi=[new R,new R,new R,new R,new R,new R,new R,new R],_i=new R,Ur=new Xt,Vn=new R,Wn=new R,Xn=new R,tn=new R,nn=new R,Mn=new R,Rs=new R,Or=new R,Fr=new R,Sn=new R;function Dl(n,e,t,i,s){for(let r=0,o=n.length-3;r<=o;r+=3){Sn.fromArray(n,r);let a=s.x*Math.abs(Sn.x)+s.y*Math.abs(Sn.y)+s.z*Math.abs(Sn.z),h=e.dot(Sn),l=t.dot(Sn),c=i.dot(Sn);if(Math.max(-Math.max(h,l,c),Math.min(h,l,c))>a)return!1}return!0}var pt=new R,Br=new Te,Op=0,ot=class extends Mi{constructor(e,t,i=!1){if(super(),Array.isArray(e))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:Op++}),this.name="",this.array=e,this.itemSize=t,this.count=e!==void 0?e.length/t:0,this.normalized=i,this.usage=_h,this.updateRanges=[],this.gpuType=pi,this.version=0,this._normalizationScale=e!==void 0?va(e):void 0}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.name=e.name,this.array=new e.array.constructor(e.array),this.itemSize=e.itemSize,this.count=e.count,this.normalized=e.normalized,this.usage=e.usage,this.gpuType=e.gpuType,this._normalizationScale=e._normalizationScale,this}copyAt(e,t,i){e*=this.itemSize,i*=t.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[e+s]=t.array[i+s];return this}copyArray(e){return this.array.set(e),this}applyMatrix3(e){if(this.itemSize===2)for(let t=0,i=this.count;t<i;t++)Br.fromBufferAttribute(this,t),Br.applyMatrix3(e),this.setXY(t,Br.x,Br.y);else if(this.itemSize===3)for(let t=0,i=this.count;t<i;t++)pt.fromBufferAttribute(this,t),pt.applyMatrix3(e),this.setXYZ(t,pt.x,pt.y,pt.z);return this}applyMatrix4(e){for(let t=0,i=this.count;t<i;t++)pt.fromBufferAttribute(this,t),pt.applyMatrix4(e),this.setXYZ(t,pt.x,pt.y,pt.z);return this}applyNormalMatrix(e){for(let t=0,i=this.count;t<i;t++)pt.fromBufferAttribute(this,t),pt.applyNormalMatrix(e),this.setXYZ(t,pt.x,pt.y,pt.z);return this}transformDirection(e){for(let t=0,i=this.count;t<i;t++)pt.fromBufferAttribute(this,t),pt.transformDirection(e),this.setXYZ(t,pt.x,pt.y,pt.z);return this}set(e,t=0){return this.array.set(e,t),this}getComponent(e,t){let i=this.array[e*this.itemSize+t];return this.normalized&&(i=this._denormalize(i)),i}setComponent(e,t,i){return this.normalized&&(i=this._normalize(i)),this.array[e*this.itemSize+t]=i,this}getX(e){let t=this.array[e*this.itemSize];return this.normalized&&(t=this._denormalize(t)),t}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize]=t,this}getY(e){let t=this.array[e*this.itemSize+1];return this.normalized&&(t=this._denormalize(t)),t}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+1]=t,this}getZ(e){let t=this.array[e*this.itemSize+2];return this.normalized&&(t=this._denormalize(t)),t}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+2]=t,this}getW(e){let t=this.array[e*this.itemSize+3];return this.normalized&&(t=this._denormalize(t)),t}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+3]=t,this}setXY(e,t,i){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),i=this._normalize(i)),this.array[e+0]=t,this.array[e+1]=i,this}setXYZ(e,t,i,s){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),i=this._normalize(i),s=this._normalize(s)),this.array[e+0]=t,this.array[e+1]=i,this.array[e+2]=s,this}setXYZW(e,t,i,s,r){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),i=this._normalize(i),s=this._normalize(s),r=this._normalize(r)),this.array[e+0]=t,this.array[e+1]=i,this.array[e+2]=s,this.array[e+3]=r,this}onUpload(e){return this.onUploadCallback=e,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let e={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return e.name=this.name,e.usage=this.usage,e.gpuType=this.gpuType,e}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(e){let t=this._normalizationScale;return t!==void 0?Math.max(e/t,-1):vh(e,this.array)}_normalize(e){let t=this._normalizationScale;return t!==void 0?Math.round(e*t):wh(e,this.array)}};var Ws=class extends ot{constructor(e,t,i){super(new Uint16Array(e),t,i)}};var Xs=class extends ot{constructor(e,t,i){super(new Uint32Array(e),t,i)}};var ut=class extends ot{constructor(e,t,i){super(new Float32Array(e),t,i)}},Fp=new Xt,Ps=new R,Nl=new R,Jt=class{constructor(e=new R,t=-1){this.isSphere=!0,this.center=e,this.radius=t}set(e,t){return this.center.copy(e),this.radius=t,this}setFromPoints(e,t){let i=this.center;t!==void 0?i.copy(t):Fp.setFromPoints(e).getCenter(i);let s=0;for(let r=0,o=e.length;r<o;r++)s=Math.max(s,i.distanceToSquared(e[r]));return this.radius=Math.sqrt(s),this}copy(e){return this.center.copy(e.center),this.radius=e.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(e){return e.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(e){return e.distanceTo(this.center)-this.radius}intersectsSphere(e){let t=this.radius+e.radius;return e.center.distanceToSquared(this.center)<=t*t}intersectsBox(e){return e.intersectsSphere(this)}intersectsPlane(e){return Math.abs(e.distanceToPoint(this.center))<=this.radius}clampPoint(e,t){let i=this.center.distanceToSquared(e);return t.copy(e),i>this.radius*this.radius&&(t.sub(this.center).normalize(),t.multiplyScalar(this.radius).add(this.center)),t}getBoundingBox(e){return this.isEmpty()?(e.makeEmpty(),e):(e.set(this.center,this.center),e.expandByScalar(this.radius),e)}applyMatrix4(e){return this.center.applyMatrix4(e),this.radius=this.radius*e.getMaxScaleOnAxis(),this}translate(e){return this.center.add(e),this}expandByPoint(e){if(this.isEmpty())return this.center.copy(e),this.radius=0,this;Ps.subVectors(e,this.center);let t=Ps.lengthSq();if(t>this.radius*this.radius){let i=Math.sqrt(t),s=(i-this.radius)*.5;this.center.addScaledVector(Ps,s/i),this.radius+=s}return this}union(e){return e.isEmpty()?this:this.isEmpty()?(this.copy(e),this):(this.center.equals(e.center)===!0?this.radius=Math.max(this.radius,e.radius):(Nl.subVectors(e.center,this.center).setLength(e.radius),this.expandByPoint(Ps.copy(e.center).add(Nl)),this.expandByPoint(Ps.copy(e.center).sub(Nl))),this)}equals(e){return e.center.equals(this.center)&&e.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(e){return this.radius=e.radius,this.center.fromArray(e.center),this}},Bp=0,ui=new Ke,Ul=new fi,qn=new R,ti=new Xt,Is=new Xt,wt=new R,mt=class n extends Mi{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:Bp++}),this.uuid=pn(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(e){return Array.isArray(e)?this.index=new(hp(e)?Xs:Ws)(e,1):this.index=e,this}setIndirect(e,t=0){return this.indirect=e,this.indirectOffset=t,this}getIndirect(){return this.indirect}getAttribute(e){return this.attributes[e]}setAttribute(e,t){return this.attributes[e]=t,this}deleteAttribute(e){return delete this.attributes[e],this}hasAttribute(e){return this.attributes[e]!==void 0}addGroup(e,t,i=0){this.groups.push({start:e,count:t,materialIndex:i})}clearGroups(){this.groups=[]}setDrawRange(e,t){this.drawRange.start=e,this.drawRange.count=t}applyMatrix4(e){let t=this.attributes.position;t!==void 0&&(t.applyMatrix4(e),t.needsUpdate=!0);let i=this.attributes.normal;if(i!==void 0){let r=new Ne().getNormalMatrix(e);i.applyNormalMatrix(r),i.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(e),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(e){return ui.makeRotationFromQuaternion(e),this.applyMatrix4(ui),this}rotateX(e){return ui.makeRotationX(e),this.applyMatrix4(ui),this}rotateY(e){return ui.makeRotationY(e),this.applyMatrix4(ui),this}rotateZ(e){return ui.makeRotationZ(e),this.applyMatrix4(ui),this}translate(e,t,i){return ui.makeTranslation(e,t,i),this.applyMatrix4(ui),this}scale(e,t,i){return ui.makeScale(e,t,i),this.applyMatrix4(ui),this}lookAt(e){return Ul.lookAt(e),Ul.updateMatrix(),this.applyMatrix4(Ul.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(qn).negate(),this.translate(qn.x,qn.y,qn.z),this}setFromPoints(e){let t=this.getAttribute("position");if(t===void 0){let i=[];for(let s=0,r=e.length;s<r;s++){let o=e[s];i.push(o.x,o.y,o.z||0)}this.setAttribute("position",new ut(i,3))}else{let i=Math.min(e.length,t.count);for(let s=0;s<i;s++){let r=e[s];t.setXYZ(s,r.x,r.y,r.z||0)}e.length>t.count&&Re("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),t.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Xt);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){De("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new R(-1/0,-1/0,-1/0),new R(1/0,1/0,1/0));return}if(e!==void 0){if(this.boundingBox.setFromBufferAttribute(e),t)for(let i=0,s=t.length;i<s;i++){let r=t[i];ti.setFromBufferAttribute(r),this.morphTargetsRelative?(wt.addVectors(this.boundingBox.min,ti.min),this.boundingBox.expandByPoint(wt),wt.addVectors(this.boundingBox.max,ti.max),this.boundingBox.expandByPoint(wt)):(this.boundingBox.expandByPoint(ti.min),this.boundingBox.expandByPoint(ti.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&De('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Jt);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){De("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new R,1/0);return}if(e){let i=this.boundingSphere.center;if(ti.setFromBufferAttribute(e),t)for(let r=0,o=t.length;r<o;r++){let a=t[r];Is.setFromBufferAttribute(a),this.morphTargetsRelative?(wt.addVectors(ti.min,Is.min),ti.expandByPoint(wt),wt.addVectors(ti.max,Is.max),ti.expandByPoint(wt)):(ti.expandByPoint(Is.min),ti.expandByPoint(Is.max))}ti.getCenter(i);let s=0;for(let r=0,o=e.count;r<o;r++)wt.fromBufferAttribute(e,r),s=Math.max(s,i.distanceToSquared(wt));if(t)for(let r=0,o=t.length;r<o;r++){let a=t[r],h=this.morphTargetsRelative;for(let l=0,c=a.count;l<c;l++)wt.fromBufferAttribute(a,l),h&&(qn.fromBufferAttribute(e,l),wt.add(qn)),s=Math.max(s,i.distanceToSquared(wt))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&De('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let e=this.index,t=this.attributes;if(e===null||t.position===void 0||t.normal===void 0||t.uv===void 0){De("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let i=t.position,s=t.normal,r=t.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==i.count)&&(o=new ot(new Float32Array(4*i.count),4),this.setAttribute("tangent",o));let a=[],h=[],l=new Uint8Array(i.count);for(let U=0;U<i.count;U++)a[U]=new R,h[U]=new R;let c=new R,u=new R,d=new R,f=new Te,p=new Te,_=new Te,m=new R,g=new R;function M(U,I,N){l[U]=l[I]=l[N]=1,c.fromBufferAttribute(i,U),u.fromBufferAttribute(i,I),d.fromBufferAttribute(i,N),f.fromBufferAttribute(r,U),p.fromBufferAttribute(r,I),_.fromBufferAttribute(r,N),u.sub(c),d.sub(c),p.sub(f),_.sub(f);let F=1/(p.x*_.y-_.x*p.y);isFinite(F)&&(m.copy(u).multiplyScalar(_.y).addScaledVector(d,-p.y).multiplyScalar(F),g.copy(d).multiplyScalar(p.x).addScaledVector(u,-_.x).multiplyScalar(F),a[U].add(m),a[I].add(m),a[N].add(m),h[U].add(g),h[I].add(g),h[N].add(g))}let T=this.groups;T.length===0&&(T=[{start:0,count:e.count}]);for(let U=0,I=T.length;U<I;++U){let N=T[U],F=N.start,G=N.count;for(let P=F,V=F+G;P<V;P+=3)M(e.getX(P+0),e.getX(P+1),e.getX(P+2))}let v=new R,E=new R,A=new R,x=new R;function S(U){A.fromBufferAttribute(s,U),x.copy(A);let I=a[U];v.copy(I),v.sub(A.multiplyScalar(A.dot(I))).normalize(),E.crossVectors(x,I);let F=E.dot(h[U])<0?-1:1;o.setXYZW(U,v.x,v.y,v.z,F)}for(let U=0,I=i.count;U<I;++U)l[U]&&S(U);this._transformed=!0}computeVertexNormals(){let e=this.index,t=this.getAttribute("position");if(t!==void 0){let i=this.getAttribute("normal");if(i===void 0||i.count!==t.count)i=new ot(new Float32Array(t.count*3),3),this.setAttribute("normal",i);else for(let d=0,f=i.count;d<f;d++)i.setXYZ(d,0,0,0);let s=new R,r=new R,o=new R,a=new R,h=new R,l=new R,c=new R,u=new R;if(e)for(let d=0,f=e.count;d<f;d+=3){let p=e.getX(d+0),_=e.getX(d+1),m=e.getX(d+2);s.fromBufferAttribute(t,p),r.fromBufferAttribute(t,_),o.fromBufferAttribute(t,m),c.subVectors(o,r),u.subVectors(s,r),c.cross(u),a.fromBufferAttribute(i,p),h.fromBufferAttribute(i,_),l.fromBufferAttribute(i,m),a.add(c),h.add(c),l.add(c),i.setXYZ(p,a.x,a.y,a.z),i.setXYZ(_,h.x,h.y,h.z),i.setXYZ(m,l.x,l.y,l.z)}else for(let d=0,f=t.count;d<f;d+=3)s.fromBufferAttribute(t,d+0),r.fromBufferAttribute(t,d+1),o.fromBufferAttribute(t,d+2),c.subVectors(o,r),u.subVectors(s,r),c.cross(u),i.setXYZ(d+0,c.x,c.y,c.z),i.setXYZ(d+1,c.x,c.y,c.z),i.setXYZ(d+2,c.x,c.y,c.z);this.normalizeNormals(),i.needsUpdate=!0}}normalizeNormals(){let e=this.attributes.normal;for(let t=0,i=e.count;t<i;t++)wt.fromBufferAttribute(e,t),wt.normalize(),e.setXYZ(t,wt.x,wt.y,wt.z)}toNonIndexed(){function e(a,h){let l=a.array,c=a.itemSize,u=a.normalized,d=new l.constructor(h.length*c),f=0,p=0;for(let _=0,m=h.length;_<m;_++){a.isInterleavedBufferAttribute?f=h[_]*a.data.stride+a.offset:f=h[_]*c;for(let g=0;g<c;g++)d[p++]=l[f++]}return new ot(d,c,u)}if(this.index===null)return Re("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let t=new n,i=this.index.array,s=this.attributes;for(let a in s){let h=s[a],l=e(h,i);t.setAttribute(a,l)}let r=this.morphAttributes;for(let a in r){let h=[],l=r[a];for(let c=0,u=l.length;c<u;c++){let d=l[c],f=e(d,i);h.push(f)}t.morphAttributes[a]=h}t.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,h=o.length;a<h;a++){let l=o[a];t.addGroup(l.start,l.count,l.materialIndex)}return t}toJSON(){let e={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(e.uuid=this.uuid,e.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,e.name=this.name,Object.keys(this.userData).length>0&&(e.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let h=this.parameters;for(let l in h)h[l]!==void 0&&(e[l]=h[l]);return e}e.data={attributes:{}};let t=this.index;t!==null&&(e.data.index={type:t.array.constructor.name,array:Array.prototype.slice.call(t.array)});let i=this.attributes;for(let h in i){let l=i[h];e.data.attributes[h]=l.toJSON(e.data)}let s={},r=!1;for(let h in this.morphAttributes){let l=this.morphAttributes[h],c=[];for(let u=0,d=l.length;u<d;u++){let f=l[u];c.push(f.toJSON(e.data))}c.length>0&&(s[h]=c,r=!0)}r&&(e.data.morphAttributes=s,e.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(e.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(e.data.boundingSphere=a.toJSON()),e}clone(){return new this.constructor().copy(this)}copy(e){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let t={};this.name=e.name;let i=e.index;i!==null&&this.setIndex(i.clone());let s=e.attributes;for(let l in s){let c=s[l];this.setAttribute(l,c.clone(t))}let r=e.morphAttributes;for(let l in r){let c=[],u=r[l];for(let d=0,f=u.length;d<f;d++)c.push(u[d].clone(t));this.morphAttributes[l]=c}this.morphTargetsRelative=e.morphTargetsRelative;let o=e.groups;for(let l=0,c=o.length;l<c;l++){let u=o[l];this.addGroup(u.start,u.count,u.materialIndex)}let a=e.boundingBox;a!==null&&(this.boundingBox=a.clone());let h=e.boundingSphere;return h!==null&&(this.boundingSphere=h.clone()),this.drawRange.start=e.drawRange.start,this.drawRange.count=e.drawRange.count,this.userData=e.userData,this._transformed=e._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}},yo=class{constructor(e,t){this.isInterleavedBuffer=!0,this.array=e,this.stride=t,this.count=e!==void 0?e.length/t:0,this.usage=_h,this.updateRanges=[],this.version=0,this.uuid=pn()}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.array=new e.array.constructor(e.array),this.count=e.count,this.stride=e.stride,this.usage=e.usage,this}copyAt(e,t,i){e*=this.stride,i*=t.stride;for(let s=0,r=this.stride;s<r;s++)this.array[e+s]=t.array[i+s];return this}set(e,t=0){return this.array.set(e,t),this}clone(e){e.arrayBuffers===void 0&&(e.arrayBuffers={});let t=jc(this.array);e.arrayBuffers[t]===void 0&&(e.arrayBuffers[t]=this.array.slice(0).buffer);let i=new this.array.constructor(e.arrayBuffers[t]),s=new this.constructor(i,this.stride);return s.setUsage(this.usage),s}onUpload(e){return this.onUploadCallback=e,this}toJSON(e){e.arrayBuffers===void 0&&(e.arrayBuffers={});let t=jc(this.array);e.arrayBuffers[t]===void 0&&(e.arrayBuffers[t]=Array.from(new Uint32Array(this.array.slice(0).buffer)));let i={uuid:this.uuid,buffer:t,type:this.array.constructor.name,stride:this.stride};return i.usage=this.usage,i}};function jc(n){return n.buffer._uuid===void 0&&(n.buffer._uuid=pn()),n.byteOffset===0&&n.byteLength===n.buffer.byteLength?n.buffer._uuid:n.buffer._uuid+":"+n.byteOffset+":"+n.byteLength}var Ht=new R,Si=class n{constructor(e,t,i,s=!1){this.isInterleavedBufferAttribute=!0,this.name="",this.data=e,this.itemSize=t,this.offset=i,this.normalized=s,this._normalizationScale=e!==void 0?va(e.array):void 0}get count(){return this.data.count}get array(){return this.data.array}set needsUpdate(e){this.data.needsUpdate=e}applyMatrix4(e){for(let t=0,i=this.data.count;t<i;t++)Ht.fromBufferAttribute(this,t),Ht.applyMatrix4(e),this.setXYZ(t,Ht.x,Ht.y,Ht.z);return this}applyNormalMatrix(e){for(let t=0,i=this.count;t<i;t++)Ht.fromBufferAttribute(this,t),Ht.applyNormalMatrix(e),this.setXYZ(t,Ht.x,Ht.y,Ht.z);return this}transformDirection(e){for(let t=0,i=this.count;t<i;t++)Ht.fromBufferAttribute(this,t),Ht.transformDirection(e),this.setXYZ(t,Ht.x,Ht.y,Ht.z);return this}getComponent(e,t){let i=this.array[e*this.data.stride+this.offset+t];return this.normalized&&(i=this._denormalize(i)),i}setComponent(e,t,i){return this.normalized&&(i=this._normalize(i)),this.data.array[e*this.data.stride+this.offset+t]=i,this}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset]=t,this}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+1]=t,this}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+2]=t,this}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+3]=t,this}getX(e){let t=this.data.array[e*this.data.stride+this.offset];return this.normalized&&(t=this._denormalize(t)),t}getY(e){let t=this.data.array[e*this.data.stride+this.offset+1];return this.normalized&&(t=this._denormalize(t)),t}getZ(e){let t=this.data.array[e*this.data.stride+this.offset+2];return this.normalized&&(t=this._denormalize(t)),t}getW(e){let t=this.data.array[e*this.data.stride+this.offset+3];return this.normalized&&(t=this._denormalize(t)),t}setXY(e,t,i){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),i=this._normalize(i)),this.data.array[e+0]=t,this.data.array[e+1]=i,this}setXYZ(e,t,i,s){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),i=this._normalize(i),s=this._normalize(s)),this.data.array[e+0]=t,this.data.array[e+1]=i,this.data.array[e+2]=s,this}setXYZW(e,t,i,s,r){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),i=this._normalize(i),s=this._normalize(s),r=this._normalize(r)),this.data.array[e+0]=t,this.data.array[e+1]=i,this.data.array[e+2]=s,this.data.array[e+3]=r,this}clone(e){if(e===void 0){Gs("InterleavedBufferAttribute.clone(): Cloning an interleaved buffer attribute will de-interleave buffer data.");let t=[];for(let i=0;i<this.count;i++){let s=i*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)t.push(this.data.array[s+r])}return new ot(new this.array.constructor(t),this.itemSize,this.normalized)}else return e.interleavedBuffers===void 0&&(e.interleavedBuffers={}),e.interleavedBuffers[this.data.uuid]===void 0&&(e.interleavedBuffers[this.data.uuid]=this.data.clone(e)),new n(e.interleavedBuffers[this.data.uuid],this.itemSize,this.offset,this.normalized)}toJSON(e){if(e===void 0){Gs("InterleavedBufferAttribute.toJSON(): Serializing an interleaved buffer attribute will de-interleave buffer data.");let t=[];for(let i=0;i<this.count;i++){let s=i*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)t.push(this.data.array[s+r])}return{itemSize:this.itemSize,type:this.array.constructor.name,array:t,normalized:this.normalized}}else return e.interleavedBuffers===void 0&&(e.interleavedBuffers={}),e.interleavedBuffers[this.data.uuid]===void 0&&(e.interleavedBuffers[this.data.uuid]=this.data.toJSON(e)),{isInterleavedBufferAttribute:!0,itemSize:this.itemSize,data:this.data.uuid,offset:this.offset,normalized:this.normalized}}_denormalize(e){let t=this._normalizationScale;return t!==void 0?Math.max(e/t,-1):vh(e,this.data.array)}_normalize(e){let t=this._normalizationScale;return t!==void 0?Math.round(e*t):wh(e,this.data.array)}},Ol=new R,zp=new R,kp=new Ne,ni=class{constructor(e=new R(1,0,0),t=0){this.isPlane=!0,this.normal=e,this.constant=t}set(e,t){return this.normal.copy(e),this.constant=t,this}setComponents(e,t,i,s){return this.normal.set(e,t,i),this.constant=s,this}setFromNormalAndCoplanarPoint(e,t){return this.normal.copy(e),this.constant=-t.dot(this.normal),this}setFromCoplanarPoints(e,t,i){let s=Ol.subVectors(i,t).cross(zp.subVectors(e,t)).normalize();return this.setFromNormalAndCoplanarPoint(s,e),this}copy(e){return this.normal.copy(e.normal),this.constant=e.constant,this}normalize(){let e=1/this.normal.length();return this.normal.multiplyScalar(e),this.constant*=e,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(e){return this.normal.dot(e)+this.constant}distanceToSphere(e){return this.distanceToPoint(e.center)-e.radius}projectPoint(e,t){return t.copy(e).addScaledVector(this.normal,-this.distanceToPoint(e))}intersectLine(e,t,i=!0){let s=e.delta(Ol),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(e.start)===0?t.copy(e.start):null;let o=-(e.start.dot(this.normal)+this.constant)/r;return i===!0&&(o<0||o>1)?null:t.copy(e.start).addScaledVector(s,o)}intersectsLine(e){let t=this.distanceToPoint(e.start),i=this.distanceToPoint(e.end);return t<0&&i>0||i<0&&t>0}intersectsBox(e){return e.intersectsPlane(this)}intersectsSphere(e){return e.intersectsPlane(this)}coplanarPoint(e){return e.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(e,t){let i=t||kp.getNormalMatrix(e),s=this.coplanarPoint(Ol).applyMatrix4(e),r=this.normal.applyMatrix3(i).normalize();return this.constant=-s.dot(r),this}translate(e){return this.constant-=e.dot(this.normal),this}equals(e){return e.normal.equals(this.normal)&&e.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(e){return this.normal.fromArray(e.normal),this.constant=e.constant,this}},Gp=0,An=class extends Mi{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:Gp++}),this.uuid=pn(),this.name="",this.type="Material",this.blending=ps,this.side=dn,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=jl,this.blendDst=Ql,this.blendEquation=Pn,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Pe(0,0,0),this.blendAlpha=0,this.depthFunc=ts,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=ku,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=so,this.stencilZFail=so,this.stencilZPass=so,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(e){this._alphaTest>0!=e>0&&this.version++,this._alphaTest=e}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(e){if(e!==void 0)for(let t in e){let i=e[t];if(i===void 0){Re(`Material: parameter '${t}' has value of undefined.`);continue}let s=this[t];if(s===void 0){Re(`Material: '${t}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(i):s&&s.isVector2&&i&&i.isVector2||s&&s.isEuler&&i&&i.isEuler||s&&s.isVector3&&i&&i.isVector3?s.copy(i):this[t]=i}}toJSON(e){let t=e===void 0||typeof e=="string";t&&(e={textures:{},images:{}});let i={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};i.uuid=this.uuid,i.type=this.type,i.blending=this.blending,i.side=this.side,i.shadowSide=this.shadowSide,i.vertexColors=this.vertexColors,i.opacity=this.opacity,i.transparent=this.transparent,i.blendSrc=this.blendSrc,i.blendDst=this.blendDst,i.blendEquation=this.blendEquation,i.blendSrcAlpha=this.blendSrcAlpha,i.blendDstAlpha=this.blendDstAlpha,i.blendEquationAlpha=this.blendEquationAlpha,i.blendColor=this.blendColor.getHex(),i.blendAlpha=this.blendAlpha,i.depthFunc=this.depthFunc,i.depthTest=this.depthTest,i.depthWrite=this.depthWrite,i.colorWrite=this.colorWrite,i.clipIntersection=this.clipIntersection,i.clipShadows=this.clipShadows,i.stencilWriteMask=this.stencilWriteMask,i.stencilFunc=this.stencilFunc,i.stencilRef=this.stencilRef,i.stencilFuncMask=this.stencilFuncMask,i.stencilFail=this.stencilFail,i.stencilZFail=this.stencilZFail,i.stencilZPass=this.stencilZPass,i.stencilWrite=this.stencilWrite,i.polygonOffset=this.polygonOffset,i.polygonOffsetFactor=this.polygonOffsetFactor,i.polygonOffsetUnits=this.polygonOffsetUnits,i.dithering=this.dithering,i.alphaTest=this.alphaTest,i.alphaHash=this.alphaHash,i.alphaToCoverage=this.alphaToCoverage,i.premultipliedAlpha=this.premultipliedAlpha,i.forceSinglePass=this.forceSinglePass,i.allowOverride=this.allowOverride,i.visible=this.visible,i.toneMapped=this.toneMapped,i.name=this.name,this.color&&this.color.isColor&&(i.color=this.color.getHex()),this.roughness!==void 0&&(i.roughness=this.roughness),this.metalness!==void 0&&(i.metalness=this.metalness),this.sheen!==void 0&&(i.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(i.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(i.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(i.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(i.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(i.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(i.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(i.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(i.shininess=this.shininess),this.clearcoat!==void 0&&(i.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(i.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(i.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(i.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(e).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(i.clearcoatMap=this.clearcoatMap.toJSON(e).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(i.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(e).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(i.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(e).uuid,i.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(i.sheenColorMap=this.sheenColorMap.toJSON(e).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(i.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(e).uuid),this.dispersion!==void 0&&(i.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(i.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(i.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(i.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(i.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(i.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(i.iridescenceMap=this.iridescenceMap.toJSON(e).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(i.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(e).uuid),this.anisotropy!==void 0&&(i.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(i.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(i.anisotropyMap=this.anisotropyMap.toJSON(e).uuid),this.map&&this.map.isTexture&&(i.map=this.map.toJSON(e).uuid),this.matcap&&this.matcap.isTexture&&(i.matcap=this.matcap.toJSON(e).uuid),this.alphaMap&&this.alphaMap.isTexture&&(i.alphaMap=this.alphaMap.toJSON(e).uuid),this.lightMap&&this.lightMap.isTexture&&(i.lightMap=this.lightMap.toJSON(e).uuid,i.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(i.aoMap=this.aoMap.toJSON(e).uuid,i.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(i.bumpMap=this.bumpMap.toJSON(e).uuid,i.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(i.normalMap=this.normalMap.toJSON(e).uuid,i.normalMapType=this.normalMapType,i.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(i.displacementMap=this.displacementMap.toJSON(e).uuid,i.displacementScale=this.displacementScale,i.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(i.roughnessMap=this.roughnessMap.toJSON(e).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(i.metalnessMap=this.metalnessMap.toJSON(e).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(i.emissiveMap=this.emissiveMap.toJSON(e).uuid),this.specularMap&&this.specularMap.isTexture&&(i.specularMap=this.specularMap.toJSON(e).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(i.specularIntensityMap=this.specularIntensityMap.toJSON(e).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(i.specularColorMap=this.specularColorMap.toJSON(e).uuid),this.envMap&&this.envMap.isTexture&&(i.envMap=this.envMap.toJSON(e).uuid,this.combine!==void 0&&(i.combine=this.combine)),this.envMapRotation!==void 0&&(i.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(i.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(i.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(i.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(i.gradientMap=this.gradientMap.toJSON(e).uuid),this.transmission!==void 0&&(i.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(i.transmissionMap=this.transmissionMap.toJSON(e).uuid),this.thickness!==void 0&&(i.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(i.thicknessMap=this.thicknessMap.toJSON(e).uuid),this.attenuationDistance!==void 0&&(i.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(i.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(i.size=this.size),this.sizeAttenuation!==void 0&&(i.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(i.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(i.rotation=this.rotation),this.depthPacking!==void 0&&(i.depthPacking=this.depthPacking),this.linewidth!==void 0&&(i.linewidth=this.linewidth),this.linecap!==void 0&&(i.linecap=this.linecap),this.linejoin!==void 0&&(i.linejoin=this.linejoin),this.dashSize!==void 0&&(i.dashSize=this.dashSize),this.gapSize!==void 0&&(i.gapSize=this.gapSize),this.scale!==void 0&&(i.scale=this.scale),this.wireframe!==void 0&&(i.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(i.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(i.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(i.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(i.flatShading=this.flatShading),this.fog!==void 0&&(i.fog=this.fog),Object.keys(this.userData).length>0&&(i.userData=this.userData);function s(r){let o=[];for(let a in r){let h=r[a];delete h.metadata,o.push(h)}return o}if(t){let r=s(e.textures),o=s(e.images);r.length>0&&(i.textures=r),o.length>0&&(i.images=o)}return i}fromJSON(e,t){if(e.uuid!==void 0&&(this.uuid=e.uuid),e.name!==void 0&&(this.name=e.name),e.color!==void 0&&this.color!==void 0&&this.color.setHex(e.color),e.roughness!==void 0&&(this.roughness=e.roughness),e.metalness!==void 0&&(this.metalness=e.metalness),e.sheen!==void 0&&(this.sheen=e.sheen),e.sheenColor!==void 0&&(this.sheenColor=new Pe().setHex(e.sheenColor)),e.sheenRoughness!==void 0&&(this.sheenRoughness=e.sheenRoughness),e.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(e.emissive),e.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(e.specular),e.specularIntensity!==void 0&&(this.specularIntensity=e.specularIntensity),e.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(e.specularColor),e.shininess!==void 0&&(this.shininess=e.shininess),e.clearcoat!==void 0&&(this.clearcoat=e.clearcoat),e.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=e.clearcoatRoughness),e.diffuseRoughness!==void 0&&(this.diffuseRoughness=e.diffuseRoughness),e.dispersion!==void 0&&(this.dispersion=e.dispersion),e.retroreflectivity!==void 0&&(this.retroreflectivity=e.retroreflectivity),e.iridescence!==void 0&&(this.iridescence=e.iridescence),e.iridescenceIOR!==void 0&&(this.iridescenceIOR=e.iridescenceIOR),e.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessMinimum),e.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=e.iridescenceThicknessMaximum),e.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=e.iridescenceThicknessRange[1]),e.transmission!==void 0&&(this.transmission=e.transmission),e.thickness!==void 0&&(this.thickness=e.thickness),e.attenuationDistance!==void 0&&(this.attenuationDistance=e.attenuationDistance),e.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(e.attenuationColor),e.anisotropy!==void 0&&(this.anisotropy=e.anisotropy),e.anisotropyRotation!==void 0&&(this.anisotropyRotation=e.anisotropyRotation),e.fog!==void 0&&(this.fog=e.fog),e.flatShading!==void 0&&(this.flatShading=e.flatShading),e.blending!==void 0&&(this.blending=e.blending),e.combine!==void 0&&(this.combine=e.combine),e.side!==void 0&&(this.side=e.side),e.shadowSide!==void 0&&(this.shadowSide=e.shadowSide),e.opacity!==void 0&&(this.opacity=e.opacity),e.transparent!==void 0&&(this.transparent=e.transparent),e.alphaTest!==void 0&&(this.alphaTest=e.alphaTest),e.alphaHash!==void 0&&(this.alphaHash=e.alphaHash),e.depthFunc!==void 0&&(this.depthFunc=e.depthFunc),e.depthTest!==void 0&&(this.depthTest=e.depthTest),e.depthWrite!==void 0&&(this.depthWrite=e.depthWrite),e.colorWrite!==void 0&&(this.colorWrite=e.colorWrite),e.clippingPlanes!==void 0&&(this.clippingPlanes=e.clippingPlanes.map(i=>new ni().fromJSON(i))),e.clipIntersection!==void 0&&(this.clipIntersection=e.clipIntersection),e.clipShadows!==void 0&&(this.clipShadows=e.clipShadows),e.depthPacking!==void 0&&(this.depthPacking=e.depthPacking),e.blendSrc!==void 0&&(this.blendSrc=e.blendSrc),e.blendDst!==void 0&&(this.blendDst=e.blendDst),e.blendEquation!==void 0&&(this.blendEquation=e.blendEquation),e.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=e.blendSrcAlpha),e.blendDstAlpha!==void 0&&(this.blendDstAlpha=e.blendDstAlpha),e.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=e.blendEquationAlpha),e.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(e.blendColor),e.blendAlpha!==void 0&&(this.blendAlpha=e.blendAlpha),e.stencilWriteMask!==void 0&&(this.stencilWriteMask=e.stencilWriteMask),e.stencilFunc!==void 0&&(this.stencilFunc=e.stencilFunc),e.stencilRef!==void 0&&(this.stencilRef=e.stencilRef),e.stencilFuncMask!==void 0&&(this.stencilFuncMask=e.stencilFuncMask),e.stencilFail!==void 0&&(this.stencilFail=e.stencilFail),e.stencilZFail!==void 0&&(this.stencilZFail=e.stencilZFail),e.stencilZPass!==void 0&&(this.stencilZPass=e.stencilZPass),e.stencilWrite!==void 0&&(this.stencilWrite=e.stencilWrite),e.wireframe!==void 0&&(this.wireframe=e.wireframe),e.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=e.wireframeLinewidth),e.wireframeLinecap!==void 0&&(this.wireframeLinecap=e.wireframeLinecap),e.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=e.wireframeLinejoin),e.rotation!==void 0&&(this.rotation=e.rotation),e.linewidth!==void 0&&(this.linewidth=e.linewidth),e.linecap!==void 0&&(this.linecap=e.linecap),e.linejoin!==void 0&&(this.linejoin=e.linejoin),e.dashSize!==void 0&&(this.dashSize=e.dashSize),e.gapSize!==void 0&&(this.gapSize=e.gapSize),e.scale!==void 0&&(this.scale=e.scale),e.polygonOffset!==void 0&&(this.polygonOffset=e.polygonOffset),e.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=e.polygonOffsetFactor),e.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=e.polygonOffsetUnits),e.dithering!==void 0&&(this.dithering=e.dithering),e.alphaToCoverage!==void 0&&(this.alphaToCoverage=e.alphaToCoverage),e.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=e.premultipliedAlpha),e.forceSinglePass!==void 0&&(this.forceSinglePass=e.forceSinglePass),e.allowOverride!==void 0&&(this.allowOverride=e.allowOverride),e.visible!==void 0&&(this.visible=e.visible),e.toneMapped!==void 0&&(this.toneMapped=e.toneMapped),e.userData!==void 0&&(this.userData=e.userData),e.vertexColors!==void 0&&(typeof e.vertexColors=="number"?this.vertexColors=e.vertexColors>0:this.vertexColors=e.vertexColors),e.size!==void 0&&(this.size=e.size),e.sizeAttenuation!==void 0&&(this.sizeAttenuation=e.sizeAttenuation),e.map!==void 0&&(this.map=t[e.map]||null),e.matcap!==void 0&&(this.matcap=t[e.matcap]||null),e.alphaMap!==void 0&&(this.alphaMap=t[e.alphaMap]||null),e.bumpMap!==void 0&&(this.bumpMap=t[e.bumpMap]||null),e.bumpScale!==void 0&&(this.bumpScale=e.bumpScale),e.normalMap!==void 0&&(this.normalMap=t[e.normalMap]||null),e.normalMapType!==void 0&&(this.normalMapType=e.normalMapType),e.normalScale!==void 0){let i=e.normalScale;Array.isArray(i)===!1&&(i=[i,i]),this.normalScale=new Te().fromArray(i)}return e.displacementMap!==void 0&&(this.displacementMap=t[e.displacementMap]||null),e.displacementScale!==void 0&&(this.displacementScale=e.displacementScale),e.displacementBias!==void 0&&(this.displacementBias=e.displacementBias),e.roughnessMap!==void 0&&(this.roughnessMap=t[e.roughnessMap]||null),e.metalnessMap!==void 0&&(this.metalnessMap=t[e.metalnessMap]||null),e.emissiveMap!==void 0&&(this.emissiveMap=t[e.emissiveMap]||null),e.emissiveIntensity!==void 0&&(this.emissiveIntensity=e.emissiveIntensity),e.specularMap!==void 0&&(this.specularMap=t[e.specularMap]||null),e.specularIntensityMap!==void 0&&(this.specularIntensityMap=t[e.specularIntensityMap]||null),e.specularColorMap!==void 0&&(this.specularColorMap=t[e.specularColorMap]||null),e.envMap!==void 0&&(this.envMap=t[e.envMap]||null),e.envMapRotation!==void 0&&this.envMapRotation.fromArray(e.envMapRotation),e.envMapIntensity!==void 0&&(this.envMapIntensity=e.envMapIntensity),e.reflectivity!==void 0&&(this.reflectivity=e.reflectivity),e.refractionRatio!==void 0&&(this.refractionRatio=e.refractionRatio),e.lightMap!==void 0&&(this.lightMap=t[e.lightMap]||null),e.lightMapIntensity!==void 0&&(this.lightMapIntensity=e.lightMapIntensity),e.aoMap!==void 0&&(this.aoMap=t[e.aoMap]||null),e.aoMapIntensity!==void 0&&(this.aoMapIntensity=e.aoMapIntensity),e.gradientMap!==void 0&&(this.gradientMap=t[e.gradientMap]||null),e.clearcoatMap!==void 0&&(this.clearcoatMap=t[e.clearcoatMap]||null),e.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=t[e.clearcoatRoughnessMap]||null),e.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=t[e.clearcoatNormalMap]||null),e.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new Te().fromArray(e.clearcoatNormalScale)),e.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=t[e.diffuseRoughnessMap]||null),e.iridescenceMap!==void 0&&(this.iridescenceMap=t[e.iridescenceMap]||null),e.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=t[e.iridescenceThicknessMap]||null),e.transmissionMap!==void 0&&(this.transmissionMap=t[e.transmissionMap]||null),e.thicknessMap!==void 0&&(this.thicknessMap=t[e.thicknessMap]||null),e.anisotropyMap!==void 0&&(this.anisotropyMap=t[e.anisotropyMap]||null),e.sheenColorMap!==void 0&&(this.sheenColorMap=t[e.sheenColorMap]||null),e.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=t[e.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(e){this.name=e.name,this.blending=e.blending,this.side=e.side,this.vertexColors=e.vertexColors,this.opacity=e.opacity,this.transparent=e.transparent,this.blendSrc=e.blendSrc,this.blendDst=e.blendDst,this.blendEquation=e.blendEquation,this.blendSrcAlpha=e.blendSrcAlpha,this.blendDstAlpha=e.blendDstAlpha,this.blendEquationAlpha=e.blendEquationAlpha,this.blendColor.copy(e.blendColor),this.blendAlpha=e.blendAlpha,this.depthFunc=e.depthFunc,this.depthTest=e.depthTest,this.depthWrite=e.depthWrite,this.stencilWriteMask=e.stencilWriteMask,this.stencilFunc=e.stencilFunc,this.stencilRef=e.stencilRef,this.stencilFuncMask=e.stencilFuncMask,this.stencilFail=e.stencilFail,this.stencilZFail=e.stencilZFail,this.stencilZPass=e.stencilZPass,this.stencilWrite=e.stencilWrite;let t=e.clippingPlanes,i=null;if(t!==null){let s=t.length;i=new Array(s);for(let r=0;r!==s;++r)i[r]=t[r].clone()}return this.clippingPlanes=i,this.clipIntersection=e.clipIntersection,this.clipShadows=e.clipShadows,this.shadowSide=e.shadowSide,this.colorWrite=e.colorWrite,this.precision=e.precision,this.polygonOffset=e.polygonOffset,this.polygonOffsetFactor=e.polygonOffsetFactor,this.polygonOffsetUnits=e.polygonOffsetUnits,this.dithering=e.dithering,this.alphaTest=e.alphaTest,this.alphaHash=e.alphaHash,this.alphaToCoverage=e.alphaToCoverage,this.premultipliedAlpha=e.premultipliedAlpha,this.forceSinglePass=e.forceSinglePass,this.allowOverride=e.allowOverride,this.visible=e.visible,this.toneMapped=e.toneMapped,this.userData=JSON.parse(JSON.stringify(e.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(e){e===!0&&this.version++}};var zi=new R,Fl=new R,zr=new R,kr=new R,Tn=class{constructor(e=new R,t=new R(0,0,-1)){this.origin=e,this.direction=t}set(e,t){return this.origin.copy(e),this.direction.copy(t),this}copy(e){return this.origin.copy(e.origin),this.direction.copy(e.direction),this}at(e,t){return t.copy(this.origin).addScaledVector(this.direction,e)}lookAt(e){return this.direction.copy(e).sub(this.origin).normalize(),this}recast(e){return this.origin.copy(this.at(e,zi)),this}closestPointToPoint(e,t){t.subVectors(e,this.origin);let i=t.dot(this.direction);return i<0?t.copy(this.origin):t.copy(this.origin).addScaledVector(this.direction,i)}distanceToPoint(e){return Math.sqrt(this.distanceSqToPoint(e))}distanceSqToPoint(e){let t=zi.subVectors(e,this.origin).dot(this.direction);return t<0?this.origin.distanceToSquared(e):(zi.copy(this.origin).addScaledVector(this.direction,t),zi.distanceToSquared(e))}distanceSqToSegment(e,t,i,s){Fl.copy(e).add(t).multiplyScalar(.5),zr.copy(t).sub(e).normalize(),kr.copy(this.origin).sub(Fl);let r=e.distanceTo(t)*.5,o=-this.direction.dot(zr),a=kr.dot(this.direction),h=-kr.dot(zr),l=kr.lengthSq(),c=Math.abs(1-o*o),u,d,f,p;if(c>0)if(u=o*h-a,d=o*a-h,p=r*c,u>=0)if(d>=-p)if(d<=p){let _=1/c;u*=_,d*=_,f=u*(u+o*d+2*a)+d*(o*u+d+2*h)+l}else d=r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*h)+l;else d=-r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*h)+l;else d<=-p?(u=Math.max(0,-(-o*r+a)),d=u>0?-r:Math.min(Math.max(-r,-h),r),f=-u*u+d*(d+2*h)+l):d<=p?(u=0,d=Math.min(Math.max(-r,-h),r),f=d*(d+2*h)+l):(u=Math.max(0,-(o*r+a)),d=u>0?r:Math.min(Math.max(-r,-h),r),f=-u*u+d*(d+2*h)+l);else d=o>0?-r:r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*h)+l;return i&&i.copy(this.origin).addScaledVector(this.direction,u),s&&s.copy(Fl).addScaledVector(zr,d),f}intersectSphere(e,t){if(e.radius<0)return null;zi.subVectors(e.center,this.origin);let i=zi.dot(this.direction),s=zi.dot(zi)-i*i,r=e.radius*e.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=i-o,h=i+o;return h<0?null:a<0?this.at(h,t):this.at(a,t)}intersectsSphere(e){return e.radius<0?!1:this.distanceSqToPoint(e.center)<=e.radius*e.radius}distanceToPlane(e){let t=e.normal.dot(this.direction);if(t===0)return e.distanceToPoint(this.origin)===0?0:null;let i=-(this.origin.dot(e.normal)+e.constant)/t;return i>=0?i:null}intersectPlane(e,t){let i=this.distanceToPlane(e);return i===null?null:this.at(i,t)}intersectsPlane(e){let t=e.distanceToPoint(this.origin);return t===0||e.normal.dot(this.direction)*t<0}intersectBox(e,t){let i,s,r,o,a,h,l=1/this.direction.x,c=1/this.direction.y,u=1/this.direction.z,d=this.origin;return l>=0?(i=(e.min.x-d.x)*l,s=(e.max.x-d.x)*l):(i=(e.max.x-d.x)*l,s=(e.min.x-d.x)*l),c>=0?(r=(e.min.y-d.y)*c,o=(e.max.y-d.y)*c):(r=(e.max.y-d.y)*c,o=(e.min.y-d.y)*c),i>o||r>s||((r>i||isNaN(i))&&(i=r),(o<s||isNaN(s))&&(s=o),u>=0?(a=(e.min.z-d.z)*u,h=(e.max.z-d.z)*u):(a=(e.max.z-d.z)*u,h=(e.min.z-d.z)*u),i>h||a>s)||((a>i||i!==i)&&(i=a),(h<s||s!==s)&&(s=h),s<0)?null:this.at(i>=0?i:s,t)}intersectsBox(e){return this.intersectBox(e,zi)!==null}intersectTriangle(e,t,i,s,r){let o=this.origin,a=this.direction,h=a.x,l=a.y,c=a.z,u=e.x-o.x,d=e.y-o.y,f=e.z-o.z,p=t.x-o.x,_=t.y-o.y,m=t.z-o.z,g=i.x-o.x,M=i.y-o.y,T=i.z-o.z,v=Math.abs(h),E=Math.abs(l),A=Math.abs(c),x,S,U,I,N,F,G,P,V,Y,H,ie;if(v>=E&&v>=A?(U=h,F=u,V=p,ie=g,h>=0?(x=l,S=c,I=d,N=f,G=_,P=m,Y=M,H=T):(x=c,S=l,I=f,N=d,G=m,P=_,Y=T,H=M)):E>=A?(U=l,F=d,V=_,ie=M,l>=0?(x=c,S=h,I=f,N=u,G=m,P=p,Y=T,H=g):(x=h,S=c,I=u,N=f,G=p,P=m,Y=g,H=T)):(U=c,F=f,V=m,ie=T,c>=0?(x=h,S=l,I=u,N=d,G=p,P=_,Y=g,H=M):(x=l,S=h,I=d,N=u,G=_,P=p,Y=M,H=g)),U===0)return null;let q=x/U,Q=S/U,ee=1/U,Se=I-q*F,Oe=N-Q*F,J=G-q*V,me=P-Q*V,_e=Y-q*ie,Ee=H-Q*ie,ge=_e*me-Ee*J,ze=Se*Ee-Oe*_e,dt=J*Oe-me*Se;if(s){if(ge<0||ze<0||dt<0)return null}else if((ge<0||ze<0||dt<0)&&(ge>0||ze>0||dt>0))return null;let Ie=ge+ze+dt;if(Ie===0)return null;let je=ee*(ge*F+ze*V+dt*ie);return(Ie>0?je<0:je>0)?null:this.at(je/Ie,r)}applyMatrix4(e){return this.origin.applyMatrix4(e),this.direction.transformDirection(e),this}equals(e){return e.origin.equals(this.origin)&&e.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},_o=class extends An{constructor(e){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new Pe(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new rn,this.combine=eh,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.fog=e.fog,this}},Qc=new Ke,vn=new Tn,Gr=new Jt,eu=new R,Hr=new R,Vr=new R,Wr=new R,Bl=new R,Xr=new R,tu=new R,qr=new R,Tt=class extends fi{constructor(e=new mt,t=new _o){super(),this.isMesh=!0,this.type="Mesh",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}updateMorphTargets(){let t=this.geometry.morphAttributes,i=Object.keys(t);if(i.length>0){let s=t[i[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(e,t){let i=this.geometry,s=i.attributes.position,r=i.morphAttributes.position,o=i.morphTargetsRelative;t.fromBufferAttribute(s,e);let a=this.morphTargetInfluences;if(r&&a){Xr.set(0,0,0);for(let h=0,l=r.length;h<l;h++){let c=a[h],u=r[h];c!==0&&(Bl.fromBufferAttribute(u,e),o?Xr.addScaledVector(Bl,c):Xr.addScaledVector(Bl.sub(t),c))}t.add(Xr)}return t}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let i=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(i.boundingSphere===null&&i.computeBoundingSphere(),Gr.copy(i.boundingSphere),Gr.applyMatrix4(r),vn.copy(e.ray).recast(e.near),!(Gr.containsPoint(vn.origin)===!1&&(vn.intersectSphere(Gr,eu)===null||vn.origin.distanceToSquared(eu)>(e.far-e.near)**2))&&(Qc.copy(r).invert(),vn.copy(e.ray).applyMatrix4(Qc),!(i.boundingBox!==null&&vn.intersectsBox(i.boundingBox)===!1)&&this._computeIntersections(e,t,vn)))}_computeIntersections(e,t,i){let s,r=this.geometry,o=this.material,a=r.index,h=r.attributes.position,l=r.attributes.uv,c=r.attributes.uv1,u=r.attributes.normal,d=r.groups,f=r.drawRange;if(a!==null)if(Array.isArray(o))for(let p=0,_=d.length;p<_;p++){let m=d[p],g=o[m.materialIndex],M=Math.max(m.start,f.start),T=Math.min(a.count,Math.min(m.start+m.count,f.start+f.count));for(let v=M,E=T;v<E;v+=3){let A=a.getX(v),x=a.getX(v+1),S=a.getX(v+2);s=Yr(this,g,e,i,l,c,u,A,x,S),s&&(s.faceIndex=Math.floor(v/3),s.face.materialIndex=m.materialIndex,t.push(s))}}else{let p=Math.max(0,f.start),_=Math.min(a.count,f.start+f.count);for(let m=p,g=_;m<g;m+=3){let M=a.getX(m),T=a.getX(m+1),v=a.getX(m+2);s=Yr(this,o,e,i,l,c,u,M,T,v),s&&(s.faceIndex=Math.floor(m/3),t.push(s))}}else if(h!==void 0)if(Array.isArray(o))for(let p=0,_=d.length;p<_;p++){let m=d[p],g=o[m.materialIndex],M=Math.max(m.start,f.start),T=Math.min(h.count,Math.min(m.start+m.count,f.start+f.count));for(let v=M,E=T;v<E;v+=3){let A=v,x=v+1,S=v+2;s=Yr(this,g,e,i,l,c,u,A,x,S),s&&(s.faceIndex=Math.floor(v/3),s.face.materialIndex=m.materialIndex,t.push(s))}}else{let p=Math.max(0,f.start),_=Math.min(h.count,f.start+f.count);for(let m=p,g=_;m<g;m+=3){let M=m,T=m+1,v=m+2;s=Yr(this,o,e,i,l,c,u,M,T,v),s&&(s.faceIndex=Math.floor(m/3),t.push(s))}}}};function Hp(n,e,t,i,s,r,o,a){let h;if(e.side===qt?h=i.intersectTriangle(o,r,s,!0,a):h=i.intersectTriangle(s,r,o,e.side===dn,a),h===null)return null;qr.copy(a),qr.applyMatrix4(n.matrixWorld);let l=t.ray.origin.distanceTo(qr);return l<t.near||l>t.far?null:{distance:l,point:qr.clone(),object:n}}function Yr(n,e,t,i,s,r,o,a,h,l){n.getVertexPosition(a,Hr),n.getVertexPosition(h,Vr),n.getVertexPosition(l,Wr);let c=Hp(n,e,t,i,Hr,Vr,Wr,tu);if(c){let u=new R;ki.getBarycoord(tu,Hr,Vr,Wr,u),s&&(c.uv=ki.getInterpolatedAttribute(s,a,h,l,u,new Te)),r&&(c.uv1=ki.getInterpolatedAttribute(r,a,h,l,u,new Te)),o&&(c.normal=ki.getInterpolatedAttribute(o,a,h,l,u,new R),c.normal.dot(i.direction)>0&&c.normal.multiplyScalar(-1));let d={a,b:h,c:l,normal:new R,materialIndex:0};ki.getNormal(Hr,Vr,Wr,d.normal),c.face=d,c.barycoord=u}return c}var qs=class extends Zt{constructor(e=null,t=1,i=1,s,r,o,a,h,l=At,c=At,u,d){super(null,o,a,h,l,c,s,r,u,d),this.isDataTexture=!0,this.image={data:e,width:t,height:i},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}};var Ys=class extends ot{constructor(e,t,i,s=1){super(e,t,i),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}toJSON(){let e=super.toJSON();return e.meshPerAttribute=this.meshPerAttribute,e.isInstancedBufferAttribute=!0,e}},Yn=new Ke,iu=new Ke,$r=[],nu=new Xt,Vp=new Ke,Ls=new Tt,Ds=new Jt,ls=class extends Tt{constructor(e,t,i){super(e,t),this.isInstancedMesh=!0,this.instanceMatrix=new Ys(new Float32Array(i*16),16),this.instanceColor=null,this.morphTexture=null,this.count=i,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<i;s++)this.setMatrixAt(s,Vp)}computeBoundingBox(){let e=this.geometry,t=this.count;this.boundingBox===null&&(this.boundingBox=new Xt),e.boundingBox===null&&e.computeBoundingBox(),this.boundingBox.makeEmpty();for(let i=0;i<t;i++)this.getMatrixAt(i,Yn),nu.copy(e.boundingBox).applyMatrix4(Yn),this.boundingBox.union(nu)}computeBoundingSphere(){let e=this.geometry,t=this.count;this.boundingSphere===null&&(this.boundingSphere=new Jt),e.boundingSphere===null&&e.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let i=0;i<t;i++)this.getMatrixAt(i,Yn),Ds.copy(e.boundingSphere).applyMatrix4(Yn),this.boundingSphere.union(Ds)}copy(e,t){return super.copy(e,t),this.instanceMatrix.copy(e.instanceMatrix),this.morphTexture=e.morphTexture!==null?e.morphTexture.clone():null,this.instanceColor=e.instanceColor!==null?e.instanceColor.clone():null,this.count=e.count,this.boundingBox=e.boundingBox!==null?e.boundingBox.clone():null,this.boundingSphere=e.boundingSphere!==null?e.boundingSphere.clone():null,this}getColorAt(e,t){return this.instanceColor===null?t.setRGB(1,1,1):t.fromArray(this.instanceColor.array,e*3)}getMatrixAt(e,t){return t.fromArray(this.instanceMatrix.array,e*16)}getMorphAt(e,t){let i=t.morphTargetInfluences,s=this.morphTexture.source.data.data,r=i.length+1,o=e*r+1;for(let a=0;a<i.length;a++)i[a]=s[o+a]}raycast(e,t){let i=this.matrixWorld,s=this.count;if(Ls.geometry=this.geometry,Ls.material=this.material,Ls.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Ds.copy(this.boundingSphere),Ds.applyMatrix4(i),e.ray.intersectsSphere(Ds)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,Yn),iu.multiplyMatrices(i,Yn),Ls.matrixWorld=iu,Ls.raycast(e,$r);for(let o=0,a=$r.length;o<a;o++){let h=$r[o];h.instanceId=r,h.object=this,t.push(h)}$r.length=0}}setColorAt(e,t){return this.instanceColor===null&&(this.instanceColor=new Ys(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),t.toArray(this.instanceColor.array,e*3),this}setMatrixAt(e,t){return t.toArray(this.instanceMatrix.array,e*16),this}setMorphAt(e,t){let i=t.morphTargetInfluences,s=i.length+1;this.morphTexture===null&&(this.morphTexture=new qs(new Float32Array(s*this.count),s,this.count,Vo,pi));let r=this.morphTexture.source.data.data,o=0;for(let l=0;l<i.length;l++)o+=i[l];let a=this.geometry.morphTargetsRelative?1:1-o,h=s*e;return r[h]=a,r.set(i,h+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},wn=new Jt,Wp=new Te(.5,.5),Zr=new R,En=class{constructor(e=new ni,t=new ni,i=new ni,s=new ni,r=new ni,o=new ni){this.planes=[e,t,i,s,r,o]}set(e,t,i,s,r,o){let a=this.planes;return a[0].copy(e),a[1].copy(t),a[2].copy(i),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(e){let t=this.planes;for(let i=0;i<6;i++)t[i].copy(e.planes[i]);return this}setFromProjectionMatrix(e,t=di,i=!1){let s=this.planes,r=e.elements,o=r[0],a=r[1],h=r[2],l=r[3],c=r[4],u=r[5],d=r[6],f=r[7],p=r[8],_=r[9],m=r[10],g=r[11],M=r[12],T=r[13],v=r[14],E=r[15];if(s[0].setComponents(l-o,f-c,g-p,E-M).normalize(),s[1].setComponents(l+o,f+c,g+p,E+M).normalize(),s[2].setComponents(l+a,f+u,g+_,E+T).normalize(),s[3].setComponents(l-a,f-u,g-_,E-T).normalize(),i)s[4].setComponents(h,d,m,v).normalize(),s[5].setComponents(l-h,f-d,g-m,E-v).normalize();else if(s[4].setComponents(l-h,f-d,g-m,E-v).normalize(),t===di)s[5].setComponents(l+h,f+d,g+m,E+v).normalize();else if(t===zs)s[5].setComponents(h,d,m,v).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+t);return this}intersectsObject(e){if(e.boundingSphere!==void 0)e.boundingSphere===null&&e.computeBoundingSphere(),wn.copy(e.boundingSphere).applyMatrix4(e.matrixWorld);else{let t=e.geometry;t.boundingSphere===null&&t.computeBoundingSphere(),wn.copy(t.boundingSphere).applyMatrix4(e.matrixWorld)}return this.intersectsSphere(wn)}intersectsSprite(e){wn.center.set(0,0,0);let t=Wp.distanceTo(e.center);return wn.radius=.7071067811865476+t,wn.applyMatrix4(e.matrixWorld),this.intersectsSphere(wn)}intersectsSphere(e){let t=this.planes,i=e.center,s=-e.radius;for(let r=0;r<6;r++)if(t[r].distanceToPoint(i)<s)return!1;return!0}intersectsBox(e){let t=this.planes;for(let i=0;i<6;i++){let s=t[i];if(Zr.x=s.normal.x>0?e.max.x:e.min.x,Zr.y=s.normal.y>0?e.max.y:e.min.y,Zr.z=s.normal.z>0?e.max.z:e.min.z,s.distanceToPoint(Zr)<0)return!1}return!0}containsPoint(e){let t=this.planes;for(let i=0;i<6;i++)if(t[i].distanceToPoint(e)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},su=new Ke,bo=class n{constructor(){this.coordinateSystem=di,this._frustums=[],this._count=0}setFromArrayCamera(e){let t=e.cameras,i=this._frustums;for(let s=0;s<t.length;s++){let r=t[s];su.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),i[s]===void 0&&(i[s]=new En),i[s].setFromProjectionMatrix(su,r.coordinateSystem,r.reversedDepth)}return this._count=t.length,this}getFrustum(e){return this._frustums[e]}intersectsObject(e){let t=this._frustums;for(let i=0;i<this._count;i++)if(t[i].intersectsObject(e))return!0;return!1}intersectsSprite(e){let t=this._frustums;for(let i=0;i<this._count;i++)if(t[i].intersectsSprite(e))return!0;return!1}intersectsSphere(e){let t=this._frustums;for(let i=0;i<this._count;i++)if(t[i].intersectsSphere(e))return!0;return!1}intersectsBox(e){let t=this._frustums;for(let i=0;i<this._count;i++)if(t[i].intersectsBox(e))return!0;return!1}containsPoint(e){let t=this._frustums;for(let i=0;i<this._count;i++)if(t[i].containsPoint(e))return!0;return!1}copy(e){this.coordinateSystem=e.coordinateSystem;let t=this._frustums,i=e._frustums;for(let s=0;s<e._count;s++)t[s]===void 0&&(t[s]=new En),t[s].copy(i[s]);return this._count=e._count,this}clone(){return new n().copy(this)}};var $s=class extends Zt{constructor(e=[],t=In,i,s,r,o,a,h,l,c){super(e,t,i,s,r,o,a,h,l,c),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(e){this.image=e}};var Vi=class extends Zt{constructor(e,t,i=vi,s,r,o,a=At,h=At,l,c=Hi,u=1){if(c!==Hi&&c!==Xi)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let d={width:e,height:t,depth:u};super(d,s,r,o,a,h,c,i,l),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(e){return super.copy(e),this.source=new rs(Object.assign({},e.image)),this.compareFunction=e.compareFunction,this}toJSON(e){let t=super.toJSON(e);return t.compareFunction=this.compareFunction,t}},Zs=class extends Vi{constructor(e,t=vi,i=In,s,r,o=At,a=At,h,l=Hi){let c={width:e,height:e,depth:1},u=[c,c,c,c,c,c];super(e,e,t,i,s,r,o,a,h,l),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(e){this.image=e}},Js=class extends Zt{constructor(e=null){super(),this.sourceTexture=e,this.isExternalTexture=!0}copy(e){return super.copy(e),this.sourceTexture=e.sourceTexture,this}},hs=class n extends mt{constructor(e=1,t=1,i=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:e,height:t,depth:i,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let h=[],l=[],c=[],u=[],d=0,f=0;p("z","y","x",-1,-1,i,t,e,o,r,0),p("z","y","x",1,-1,i,t,-e,o,r,1),p("x","z","y",1,1,e,i,t,s,o,2),p("x","z","y",1,-1,e,i,-t,s,o,3),p("x","y","z",1,-1,e,t,i,s,r,4),p("x","y","z",-1,-1,e,t,-i,s,r,5),this.setIndex(h),this.setAttribute("position",new ut(l,3)),this.setAttribute("normal",new ut(c,3)),this.setAttribute("uv",new ut(u,2));function p(_,m,g,M,T,v,E,A,x,S,U){let I=v/x,N=E/S,F=v/2,G=E/2,P=A/2,V=x+1,Y=S+1,H=0,ie=0,q=new R;for(let Q=0;Q<Y;Q++){let ee=Q*N-G;for(let Se=0;Se<V;Se++){let Oe=Se*I-F;q[_]=Oe*M,q[m]=ee*T,q[g]=P,l.push(q.x,q.y,q.z),q[_]=0,q[m]=0,q[g]=A>0?1:-1,c.push(q.x,q.y,q.z),u.push(Se/x),u.push(1-Q/S),H+=1}}for(let Q=0;Q<S;Q++)for(let ee=0;ee<x;ee++){let Se=d+ee+V*Q,Oe=d+ee+V*(Q+1),J=d+(ee+1)+V*(Q+1),me=d+(ee+1)+V*Q;h.push(Se,Oe,me),h.push(Oe,J,me),ie+=6}a.addGroup(f,ie,U),f+=ie,d+=H}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new n(e.width,e.height,e.depth,e.widthSegments,e.heightSegments,e.depthSegments)}};var cs=class n extends mt{constructor(e=1,t=1,i=1,s=32,r=1,o=!1,a=0,h=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:e,radiusBottom:t,height:i,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:h};let l=this;s=Math.floor(s),r=Math.floor(r);let c=[],u=[],d=[],f=[],p=0,_=[],m=i/2,g=0;M(),o===!1&&(e>0&&T(!0),t>0&&T(!1)),this.setIndex(c),this.setAttribute("position",new ut(u,3)),this.setAttribute("normal",new ut(d,3)),this.setAttribute("uv",new ut(f,2));function M(){let v=new R,E=new R,A=0,x=(t-e)/i;for(let S=0;S<=r;S++){let U=[],I=S/r,N=I*(t-e)+e;for(let F=0;F<=s;F++){let G=F/s,P=G*h+a,V=Math.sin(P),Y=Math.cos(P);E.x=N*V,E.y=-I*i+m,E.z=N*Y,u.push(E.x,E.y,E.z),v.set(V,x,Y).normalize(),d.push(v.x,v.y,v.z),f.push(G,1-I),U.push(p++)}_.push(U)}for(let S=0;S<s;S++)for(let U=0;U<r;U++){let I=_[U][S],N=_[U+1][S],F=_[U+1][S+1],G=_[U][S+1];(e>0||U!==0)&&(c.push(I,N,G),A+=3),(t>0||U!==r-1)&&(c.push(N,F,G),A+=3)}l.addGroup(g,A,0),g+=A}function T(v){let E=p,A=new Te,x=new R,S=0,U=v===!0?e:t,I=v===!0?1:-1;for(let F=1;F<=s;F++)u.push(0,m*I,0),d.push(0,I,0),f.push(.5,.5),p++;let N=p;for(let F=0;F<=s;F++){let P=F/s*h+a,V=Math.cos(P),Y=Math.sin(P);x.x=U*Y,x.y=m*I,x.z=U*V,u.push(x.x,x.y,x.z),d.push(0,I,0),A.x=V*.5+.5,A.y=Y*.5*I+.5,f.push(A.x,A.y),p++}for(let F=0;F<s;F++){let G=E+F,P=N+F;v===!0?c.push(P,P+1,G):c.push(P+1,P,G),S+=3}l.addGroup(g,S,v===!0?1:2),g+=S}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new n(e.radiusTop,e.radiusBottom,e.height,e.radialSegments,e.heightSegments,e.openEnded,e.thetaStart,e.thetaLength)}},Ks=class n extends cs{constructor(e=1,t=1,i=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,e,t,i,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:e,height:t,radialSegments:i,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(e){return new n(e.radius,e.height,e.radialSegments,e.heightSegments,e.openEnded,e.thetaStart,e.thetaLength)}};var Jr=new R,Kr=new R,zl=new R,jr=new ki,js=class extends mt{constructor(e=null,t=1){if(super(),this.type="EdgesGeometry",this.parameters={geometry:e,thresholdAngle:t},e!==null){let s=Math.pow(10,4),r=Math.cos(Qn*t),o=e.getIndex(),a=e.getAttribute("position"),h=o?o.count:a.count,l=[0,0,0],c=["a","b","c"],u=new Array(3),d=new Map,f=[];for(let p=0;p<h;p+=3){o?(l[0]=o.getX(p),l[1]=o.getX(p+1),l[2]=o.getX(p+2)):(l[0]=p,l[1]=p+1,l[2]=p+2);let{a:_,b:m,c:g}=jr;if(_.fromBufferAttribute(a,l[0]),m.fromBufferAttribute(a,l[1]),g.fromBufferAttribute(a,l[2]),jr.getNormal(zl),u[0]=`${Math.round(_.x*s)},${Math.round(_.y*s)},${Math.round(_.z*s)}`,u[1]=`${Math.round(m.x*s)},${Math.round(m.y*s)},${Math.round(m.z*s)}`,u[2]=`${Math.round(g.x*s)},${Math.round(g.y*s)},${Math.round(g.z*s)}`,!(u[0]===u[1]||u[1]===u[2]||u[2]===u[0]))for(let M=0;M<3;M++){let T=(M+1)%3,v=u[M],E=u[T],A=jr[c[M]],x=jr[c[T]],S=`${v}_${E}`,U=`${E}_${v}`,I=d.get(U);I?(zl.dot(I.normal)<=r&&(f.push(A.x,A.y,A.z),f.push(x.x,x.y,x.z)),d.set(U,null)):d.has(S)||d.set(S,{index0:l[M],index1:l[T],normal:zl.clone()})}}for(let p of d.values())if(p){let{index0:_,index1:m}=p;Jr.fromBufferAttribute(a,_),Kr.fromBufferAttribute(a,m),f.push(Jr.x,Jr.y,Jr.z),f.push(Kr.x,Kr.y,Kr.z)}this.setAttribute("position",new ut(f,3))}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}};var Cn=class n extends mt{constructor(e=1,t=1,i=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:e,height:t,widthSegments:i,heightSegments:s};let r=e/2,o=t/2,a=Math.floor(i),h=Math.floor(s),l=a+1,c=h+1,u=e/a,d=t/h,f=[],p=[],_=[],m=[];for(let g=0;g<c;g++){let M=g*d-o;for(let T=0;T<l;T++){let v=T*u-r;p.push(v,-M,0),_.push(0,0,1),m.push(T/a),m.push(1-g/h)}}for(let g=0;g<h;g++)for(let M=0;M<a;M++){let T=M+l*g,v=M+l*(g+1),E=M+1+l*(g+1),A=M+1+l*g;f.push(T,v,A),f.push(v,E,A)}this.setIndex(f),this.setAttribute("position",new ut(p,3)),this.setAttribute("normal",new ut(_,3)),this.setAttribute("uv",new ut(m,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new n(e.width,e.height,e.widthSegments,e.heightSegments)}};var Qs=class n extends mt{constructor(e=1,t=32,i=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:e,widthSegments:t,heightSegments:i,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},t=Math.max(3,Math.floor(t)),i=Math.max(2,Math.floor(i));let h=Math.min(o+a,Math.PI),l=0,c=[],u=new R,d=new R,f=[],p=[],_=[],m=[];for(let g=0;g<=i;g++){let M=[],T=g/i,v=o+T*a,E=e*Math.cos(v),A=Math.sqrt(e*e-E*E),x=0;g===0&&o===0?x=.5/t:g===i&&h===Math.PI&&(x=-.5/t);for(let S=0;S<=t;S++){let U=S/t,I=s+U*r;u.x=-A*Math.cos(I),u.y=E,u.z=A*Math.sin(I),p.push(u.x,u.y,u.z),d.copy(u).normalize(),_.push(d.x,d.y,d.z),m.push(U+x,1-T),M.push(l++)}c.push(M)}for(let g=0;g<i;g++)for(let M=0;M<t;M++){let T=c[g][M+1],v=c[g][M],E=c[g+1][M],A=c[g+1][M+1];(g!==0||o>0)&&f.push(T,v,A),(g!==i-1||h<Math.PI)&&f.push(v,E,A)}this.setIndex(f),this.setAttribute("position",new ut(p,3)),this.setAttribute("normal",new ut(_,3)),this.setAttribute("uv",new ut(m,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new n(e.radius,e.widthSegments,e.heightSegments,e.phiStart,e.phiLength,e.thetaStart,e.thetaLength)}};var er=class extends mt{constructor(e=null){if(super(),this.type="WireframeGeometry",this.parameters={geometry:e},e!==null){let t=[],i=new Set,s=new R,r=new R;if(e.index!==null){let o=e.attributes.position,a=e.index,h=e.groups;h.length===0&&(h=[{start:0,count:a.count,materialIndex:0}]);for(let l=0,c=h.length;l<c;++l){let u=h[l],d=u.start,f=u.count;for(let p=d,_=d+f;p<_;p+=3)for(let m=0;m<3;m++){let g=a.getX(p+m),M=a.getX(p+(m+1)%3);s.fromBufferAttribute(o,g),r.fromBufferAttribute(o,M),ru(s,r,i)===!0&&(t.push(s.x,s.y,s.z),t.push(r.x,r.y,r.z))}}}else{let o=e.attributes.position;for(let a=0,h=o.count/3;a<h;a++)for(let l=0;l<3;l++){let c=3*a+l,u=3*a+(l+1)%3;s.fromBufferAttribute(o,c),r.fromBufferAttribute(o,u),ru(s,r,i)===!0&&(t.push(s.x,s.y,s.z),t.push(r.x,r.y,r.z))}}this.setAttribute("position",new ut(t,3))}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}};function ru(n,e,t){let i=`${n.x},${n.y},${n.z}-${e.x},${e.y},${e.z}`,s=`${e.x},${e.y},${e.z}-${n.x},${n.y},${n.z}`;return t.has(i)===!0||t.has(s)===!0?!1:(t.add(i),t.add(s),!0)}function Dn(n){let e={};for(let t in n){e[t]={};for(let i in n[t]){let s=n[t][i];if(ou(s))s.isRenderTargetTexture?(Re("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),e[t][i]=null):e[t][i]=s.clone();else if(Array.isArray(s))if(ou(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();e[t][i]=r}else e[t][i]=s.slice();else e[t][i]=s}}return e}function zt(n){let e={};for(let t=0;t<n.length;t++){let i=Dn(n[t]);for(let s in i)e[s]=i[s]}return e}function ou(n){return n&&(n.isColor||n.isMatrix3||n.isMatrix4||n.isVector2||n.isVector3||n.isVector4||n.isTexture||n.isQuaternion)}function Xp(n){let e=[];for(let t=0;t<n.length;t++)e.push(n[t].clone());return e}function Ah(n){let e=n.getRenderTarget();return e===null?n.outputColorSpace:e.isXRRenderTarget===!0?e.texture.colorSpace:qe.workingColorSpace}var gr={clone:Dn,merge:zt},qp=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,Yp=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,Bt=class extends An{constructor(e){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=qp,this.fragmentShader=Yp,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,e!==void 0&&this.setValues(e)}copy(e){return super.copy(e),this.fragmentShader=e.fragmentShader,this.vertexShader=e.vertexShader,this.uniforms=Dn(e.uniforms),this.uniformsGroups=Xp(e.uniformsGroups),this.defines=Object.assign({},e.defines),this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.fog=e.fog,this.lights=e.lights,this.clipping=e.clipping,this.extensions=Object.assign({},e.extensions),this.glslVersion=e.glslVersion,this.defaultAttributeValues=Object.assign({},e.defaultAttributeValues),this.index0AttributeName=e.index0AttributeName,this.uniformsNeedUpdate=e.uniformsNeedUpdate,this}toJSON(e){let t=super.toJSON(e);t.glslVersion=this.glslVersion,t.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?t.uniforms[s]={type:"t",value:o.toJSON(e).uuid}:o&&o.isColor?t.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?t.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?t.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?t.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?t.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?t.uniforms[s]={type:"m4",value:o.toArray()}:t.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(t.defines=this.defines),t.vertexShader=this.vertexShader,t.fragmentShader=this.fragmentShader,t.lights=this.lights,t.clipping=this.clipping;let i={};for(let s in this.extensions)this.extensions[s]===!0&&(i[s]=!0);return Object.keys(i).length>0&&(t.extensions=i),t}fromJSON(e,t){if(super.fromJSON(e,t),e.uniforms!==void 0)for(let i in e.uniforms){let s=e.uniforms[i];switch(this.uniforms[i]={},s.type){case"t":this.uniforms[i].value=t[s.value]||null;break;case"c":this.uniforms[i].value=new Pe().setHex(s.value);break;case"v2":this.uniforms[i].value=new Te().fromArray(s.value);break;case"v3":this.uniforms[i].value=new R().fromArray(s.value);break;case"v4":this.uniforms[i].value=new et().fromArray(s.value);break;case"m3":this.uniforms[i].value=new Ne().fromArray(s.value);break;case"m4":this.uniforms[i].value=new Ke().fromArray(s.value);break;default:this.uniforms[i].value=s.value}}if(e.defines!==void 0&&(this.defines=e.defines),e.vertexShader!==void 0&&(this.vertexShader=e.vertexShader),e.fragmentShader!==void 0&&(this.fragmentShader=e.fragmentShader),e.glslVersion!==void 0&&(this.glslVersion=e.glslVersion),e.extensions!==void 0)for(let i in e.extensions)this.extensions[i]=e.extensions[i];return e.lights!==void 0&&(this.lights=e.lights),e.clipping!==void 0&&(this.clipping=e.clipping),this}},Mo=class extends Bt{constructor(e){super(e),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}};var So=class extends An{constructor(e){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=Bu,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(e)}copy(e){return super.copy(e),this.depthPacking=e.depthPacking,this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this}},vo=class extends An{constructor(e){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(e)}copy(e){return super.copy(e),this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this}};function $n(n,e){return!n||n.constructor===e?n:typeof e.BYTES_PER_ELEMENT=="number"?new e(n):Array.prototype.slice.call(n)}function Qr(n){return n!==void 0&&n.inTangents!==void 0&&n.outTangents!==void 0}var on=class{constructor(e,t,i,s){this.parameterPositions=e,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new t.constructor(i),this.sampleValues=t,this.valueSize=i,this.settings=null,this.DefaultSettings_={}}evaluate(e){let t=this.parameterPositions,i=this._cachedIndex,s=t[i],r=t[i-1];i:{e:{let o;t:{n:if(!(e<s)){for(let a=i+2;;){if(s===void 0){if(e<r)break n;return i=t.length,this._cachedIndex=i,this.copySampleValue_(i-1)}if(i===a)break;if(r=s,s=t[++i],e<s)break e}o=t.length;break t}if(!(e>=r)){let a=t[1];e<a&&(i=2,r=a);for(let h=i-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(i===h)break;if(s=r,r=t[--i-1],e>=r)break e}o=i,i=0;break t}break i}for(;i<o;){let a=i+o>>>1;e<t[a]?o=a:i=a+1}if(s=t[i],r=t[i-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return i=t.length,this._cachedIndex=i,this.copySampleValue_(i-1)}this._cachedIndex=i,this.intervalChanged_(i,r,s)}return this.interpolate_(i,r,e,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(e){let t=this.resultBuffer,i=this.sampleValues,s=this.valueSize,r=e*s;for(let o=0;o!==s;++o)t[o]=i[r+o];return t}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},wo=class extends on{constructor(e,t,i,s){super(e,t,i,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:Hl,endingEnd:Hl}}intervalChanged_(e,t,i){let s=this.parameterPositions,r=e-2,o=e+1,a=s[r],h=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case Vl:r=e,a=2*t-i;break;case Wl:r=s.length-2,a=t+s[r]-s[r+1];break;default:r=e,a=i}if(h===void 0)switch(this.getSettings_().endingEnd){case Vl:o=e,h=2*i-t;break;case Wl:o=1,h=i+s[1]-s[0];break;default:o=e-1,h=t}let l=(i-t)*.5,c=this.valueSize;this._weightPrev=l/(t-a),this._weightNext=l/(h-i),this._offsetPrev=r*c,this._offsetNext=o*c}interpolate_(e,t,i,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,h=e*a,l=h-a,c=this._offsetPrev,u=this._offsetNext,d=this._weightPrev,f=this._weightNext,p=(i-t)/(s-t),_=p*p,m=_*p,g=-d*m+2*d*_-d*p,M=(1+d)*m+(-1.5-2*d)*_+(-.5+d)*p+1,T=(-1-f)*m+(1.5+f)*_+.5*p,v=f*m-f*_;for(let E=0;E!==a;++E)r[E]=g*o[c+E]+M*o[l+E]+T*o[h+E]+v*o[u+E];return r}},Ao=class extends on{constructor(e,t,i,s){super(e,t,i,s)}interpolate_(e,t,i,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,h=e*a,l=h-a,c=(i-t)/(s-t),u=1-c;for(let d=0;d!==a;++d)r[d]=o[l+d]*u+o[h+d]*c;return r}},To=class extends on{constructor(e,t,i,s){super(e,t,i,s)}interpolate_(e){return this.copySampleValue_(e-1)}},Eo=class extends on{interpolate_(e,t,i,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,h=e*a,l=h-a,c=this.inTangents,u=this.outTangents;if(!c||!u){let p=(i-t)/(s-t),_=1-p;for(let m=0;m!==a;++m)r[m]=o[l+m]*_+o[h+m]*p;return r}let d=a*2,f=e-1;for(let p=0;p!==a;++p){let _=o[l+p],m=o[h+p],g=f*d+p*2,M=u[g],T=u[g+1],v=e*d+p*2,E=c[v],A=c[v+1],x=Zp(i,t,M,E,s);r[p]=Ku(x,_,T,A,m)}return r}};function Ku(n,e,t,i,s){let r=1-n;return r*r*r*e+3*r*r*n*t+3*r*n*n*i+n*n*n*s}function $p(n,e,t,i,s){let r=1-n;return 3*r*r*(t-e)+6*r*n*(i-t)+3*n*n*(s-i)}function Zp(n,e,t,i,s){let r=(n-e)/(s-e);for(let o=0;o<8;o++){let a=Ku(r,e,t,i,s)-n;if(Math.abs(a)<1e-10)break;let h=$p(r,e,t,i,s);if(Math.abs(h)<1e-10)break;r=Math.max(0,Math.min(1,r-a/h))}return r}var ri=class{constructor(e,t,i,s){if(e===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(t===void 0||t.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+e);this.name=e,this.times=$n(t,this.TimeBufferType),this.values=$n(i,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(e){let t=e.constructor,i;if(t.toJSON!==this.toJSON)i=t.toJSON(e);else{i={name:e.name,times:$n(e.times,Array),values:$n(e.values,Array)};let s=e.getInterpolation();s!==e.DefaultInterpolation&&(i.interpolation=s),Qr(e.settings)&&(i.settings={inTangents:$n(e.settings.inTangents,Array),outTangents:$n(e.settings.outTangents,Array)})}return i.type=e.ValueTypeName,i}InterpolantFactoryMethodDiscrete(e){return new To(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodLinear(e){return new Ao(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodSmooth(e){return new wo(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodBezier(e){let t=new Eo(this.times,this.values,this.getValueSize(),e);return this.settings&&(t.inTangents=this.settings.inTangents,t.outTangents=this.settings.outTangents),t}setInterpolation(e){let t;switch(e){case Os:t=this.InterpolantFactoryMethodDiscrete;break;case po:t=this.InterpolantFactoryMethodLinear;break;case no:t=this.InterpolantFactoryMethodSmooth;break;case Gl:t=this.InterpolantFactoryMethodBezier;break}if(t===void 0){let i="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(e!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(i);return Re("KeyframeTrack:",i),this}return this.createInterpolant=t,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return Os;case this.InterpolantFactoryMethodLinear:return po;case this.InterpolantFactoryMethodSmooth:return no;case this.InterpolantFactoryMethodBezier:return Gl}}getValueSize(){return this.values.length/this.times.length}shift(e){if(e!==0){let t=this.times;for(let i=0,s=t.length;i!==s;++i)t[i]+=e;Qr(this.settings)&&(au(this.settings.inTangents,e),au(this.settings.outTangents,e))}return this}scale(e){if(e!==1){let t=this.times;for(let i=0,s=t.length;i!==s;++i)t[i]*=e;Qr(this.settings)&&(lu(this.settings.inTangents,e),lu(this.settings.outTangents,e))}return this}trim(e,t){let i=this.times,s=i.length,r=0,o=s-1;for(;r!==s&&i[r]<e;)++r;for(;o!==-1&&i[o]>t;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=i.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let e=!0,t=this.getValueSize();t-Math.floor(t)!==0&&(De("KeyframeTrack: Invalid value size in track.",this),e=!1);let i=this.times,s=this.values,r=i.length;r===0&&(De("KeyframeTrack: Track is empty.",this),e=!1);let o=null;for(let a=0;a!==r;a++){let h=i[a];if(typeof h=="number"&&isNaN(h)){De("KeyframeTrack: Time is not a valid number.",this,a,h),e=!1;break}if(o!==null&&o>h){De("KeyframeTrack: Out of order keys.",this,a,h,o),e=!1;break}o=h}if(s!==void 0&&cp(s))for(let a=0,h=s.length;a!==h;++a){let l=s[a];if(isNaN(l)){De("KeyframeTrack: Value is not a valid number.",this,a,l),e=!1;break}}return e}optimize(){let e=this.times.slice(),t=this.values.slice(),i=this.getValueSize(),s=this.getInterpolation()===no,r=e.length-1,o=1;for(let a=1;a<r;++a){let h=!1,l=e[a],c=e[a+1];if(l!==c&&(a!==1||l!==e[0]))if(s)h=!0;else{let u=a*i,d=u-i,f=u+i;for(let p=0;p!==i;++p){let _=t[u+p];if(_!==t[d+p]||_!==t[f+p]){h=!0;break}}}if(h){if(a!==o){e[o]=e[a];let u=a*i,d=o*i;for(let f=0;f!==i;++f)t[d+f]=t[u+f]}++o}}if(r>0){e[o]=e[r];for(let a=r*i,h=o*i,l=0;l!==i;++l)t[h+l]=t[a+l];++o}return o!==e.length?(this.times=e.slice(0,o),this.values=t.slice(0,o*i)):(this.times=e,this.values=t),this}clone(){let e=this.times.slice(),t=this.values.slice(),i=this.constructor,s=new i(this.name,e,t);return s.createInterpolant=this.createInterpolant,Qr(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function au(n,e){for(let t=0,i=n.length;t!==i;t+=2)n[t]+=e}function lu(n,e){for(let t=0,i=n.length;t!==i;t+=2)n[t]*=e}ri.prototype.ValueTypeName="";ri.prototype.TimeBufferType=Float32Array;ri.prototype.ValueBufferType=Float32Array;ri.prototype.DefaultInterpolation=po;var an=class extends ri{constructor(e,t,i){super(e,t,i)}};an.prototype.ValueTypeName="bool";an.prototype.ValueBufferType=Array;an.prototype.DefaultInterpolation=Os;an.prototype.InterpolantFactoryMethodLinear=void 0;an.prototype.InterpolantFactoryMethodSmooth=void 0;var Co=class extends ri{constructor(e,t,i,s){super(e,t,i,s)}};Co.prototype.ValueTypeName="color";var Ro=class extends ri{constructor(e,t,i,s){super(e,t,i,s)}};Ro.prototype.ValueTypeName="number";var Po=class extends on{constructor(e,t,i,s){super(e,t,i,s)}interpolate_(e,t,i,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,h=(i-t)/(s-t),l=e*a;for(let c=l+a;l!==c;l+=4)Ft.slerpFlat(r,0,o,l-a,o,l,h);return r}},tr=class extends ri{constructor(e,t,i,s){super(e,t,i,s)}InterpolantFactoryMethodLinear(e){return new Po(this.times,this.values,this.getValueSize(),e)}};tr.prototype.ValueTypeName="quaternion";tr.prototype.InterpolantFactoryMethodSmooth=void 0;var ln=class extends ri{constructor(e,t,i){super(e,t,i)}};ln.prototype.ValueTypeName="string";ln.prototype.ValueBufferType=Array;ln.prototype.DefaultInterpolation=Os;ln.prototype.InterpolantFactoryMethodLinear=void 0;ln.prototype.InterpolantFactoryMethodSmooth=void 0;var Io=class extends ri{constructor(e,t,i,s){super(e,t,i,s)}};Io.prototype.ValueTypeName="vector";var Lo=class{constructor(e,t,i){let s=this,r=!1,o=0,a=0,h,l=[];this.onStart=void 0,this.onLoad=e,this.onProgress=t,this.onError=i,this._abortController=null,this.itemStart=function(c){a++,r===!1&&s.onStart!==void 0&&s.onStart(c,o,a),r=!0},this.itemEnd=function(c){o++,s.onProgress!==void 0&&s.onProgress(c,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(c){s.onError!==void 0&&s.onError(c)},this.resolveURL=function(c){return c=c.normalize("NFC"),h?h(c):c},this.setURLModifier=function(c){return h=c,this},this.addHandler=function(c,u){return l.push(c,u),this},this.removeHandler=function(c){let u=l.indexOf(c);return u!==-1&&l.splice(u,2),this},this.getHandler=function(c){for(let u=0,d=l.length;u<d;u+=2){let f=l[u],p=l[u+1];if(f.global&&(f.lastIndex=0),f.test(c))return p}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},ju=new Lo,Do=class{constructor(e){this.manager=e!==void 0?e:ju,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(e,t){let i=this;return new Promise(function(s,r){i.load(e,s,t,r)})}parse(){}setCrossOrigin(e){return this.crossOrigin=e,this}setWithCredentials(e){return this.withCredentials=e,this}setPath(e){return this.path=e,this}setResourcePath(e){return this.resourcePath=e,this}setRequestHeader(e){return this.requestHeader=e,this}setPriority(e){return this.priority=e,this}setCache(e){return this.cache=e,this}abort(){return this}};Do.DEFAULT_MATERIAL_NAME="__DEFAULT";var eo=new R,to=new Ft,Ei=new R,ir=class extends fi{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new Ke,this.projectionMatrix=new Ke,this.projectionMatrixInverse=new Ke,this.coordinateSystem=di,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(e,t){return super.copy(e,t),this.matrixWorldInverse.copy(e.matrixWorldInverse),this.projectionMatrix.copy(e.projectionMatrix),this.projectionMatrixInverse.copy(e.projectionMatrixInverse),this.coordinateSystem=e.coordinateSystem,this}getWorldDirection(e){return super.getWorldDirection(e).negate()}updateMatrixWorld(e){super.updateMatrixWorld(e),this.matrixWorld.decompose(eo,to,Ei),Ei.x===1&&Ei.y===1&&Ei.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(eo,to,Ei.set(1,1,1)).invert()}updateWorldMatrix(e,t,i=!1){super.updateWorldMatrix(e,t,i),this.matrixWorld.decompose(eo,to,Ei),Ei.x===1&&Ei.y===1&&Ei.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(eo,to,Ei.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},sn=new R,hu=new Te,cu=new Te,Vt=class extends ir{constructor(e=50,t=1,i=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=e,this.zoom=1,this.near=i,this.far=s,this.focus=10,this.aspect=t,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.fov=e.fov,this.zoom=e.zoom,this.near=e.near,this.far=e.far,this.focus=e.focus,this.aspect=e.aspect,this.view=e.view===null?null:Object.assign({},e.view),this.filmGauge=e.filmGauge,this.filmOffset=e.filmOffset,this}setFocalLength(e){let t=.5*this.getFilmHeight()/e;this.fov=ss*2*Math.atan(t),this.updateProjectionMatrix()}getFocalLength(){let e=Math.tan(Qn*.5*this.fov);return .5*this.getFilmHeight()/e}getEffectiveFOV(){return ss*2*Math.atan(Math.tan(Qn*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(e,t,i){sn.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),t.set(sn.x,sn.y).multiplyScalar(-e/sn.z),sn.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),i.set(sn.x,sn.y).multiplyScalar(-e/sn.z)}getViewSize(e,t){return this.getViewBounds(e,hu,cu),t.subVectors(cu,hu)}setViewOffset(e,t,i,s,r,o){this.aspect=e/t,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=i,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=this.near,t=e*Math.tan(Qn*.5*this.fov)/this.zoom,i=2*t,s=this.aspect*i,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let h=o.fullWidth,l=o.fullHeight;r+=o.offsetX*s/h,t-=o.offsetY*i/l,s*=o.width/h,i*=o.height/l}let a=this.filmOffset;a!==0&&(r+=e*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,t,t-i,e,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.fov=this.fov,t.object.zoom=this.zoom,t.object.near=this.near,t.object.far=this.far,t.object.focus=this.focus,t.object.aspect=this.aspect,this.view!==null&&(t.object.view=Object.assign({},this.view)),t.object.filmGauge=this.filmGauge,t.object.filmOffset=this.filmOffset,t}};var No=class extends ir{constructor(e=-1,t=1,i=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=e,this.right=t,this.top=i,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.left=e.left,this.right=e.right,this.top=e.top,this.bottom=e.bottom,this.near=e.near,this.far=e.far,this.zoom=e.zoom,this.view=e.view===null?null:Object.assign({},e.view),this}setViewOffset(e,t,i,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=i,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=(this.right-this.left)/(2*this.zoom),t=(this.top-this.bottom)/(2*this.zoom),i=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=i-e,o=i+e,a=s+t,h=s-t;if(this.view!==null&&this.view.enabled){let l=(this.right-this.left)/this.view.fullWidth/this.zoom,c=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=l*this.view.offsetX,o=r+l*this.view.width,a-=c*this.view.offsetY,h=a-c*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,h,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.zoom=this.zoom,t.object.left=this.left,t.object.right=this.right,t.object.top=this.top,t.object.bottom=this.bottom,t.object.near=this.near,t.object.far=this.far,this.view!==null&&(t.object.view=Object.assign({},this.view)),t}};var nr=class extends mt{constructor(){super(),this.isInstancedBufferGeometry=!0,this.type="InstancedBufferGeometry",this.instanceCount=1/0}copy(e){return super.copy(e),this.instanceCount=e.instanceCount,this}toJSON(){let e=super.toJSON();return e.instanceCount=this.instanceCount,e.isInstancedBufferGeometry=!0,e}};var Zn=-90,Jn=1,us=class extends fi{constructor(e,t,i){super(),this.type="CubeCamera",this.renderTarget=i,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new Vt(Zn,Jn,e,t);s.layers=this.layers,this.add(s);let r=new Vt(Zn,Jn,e,t);r.layers=this.layers,this.add(r);let o=new Vt(Zn,Jn,e,t);o.layers=this.layers,this.add(o);let a=new Vt(Zn,Jn,e,t);a.layers=this.layers,this.add(a);let h=new Vt(Zn,Jn,e,t);h.layers=this.layers,this.add(h);let l=new Vt(Zn,Jn,e,t);l.layers=this.layers,this.add(l)}updateCoordinateSystem(){let e=this.coordinateSystem,t=this.children.concat(),[i,s,r,o,a,h]=t;for(let l of t)this.remove(l);if(e===di)i.up.set(0,1,0),i.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),h.up.set(0,1,0),h.lookAt(0,0,-1);else if(e===zs)i.up.set(0,-1,0),i.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),h.up.set(0,-1,0),h.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+e);for(let l of t)this.add(l),l.updateMatrixWorld()}update(e,t){this.parent===null&&this.updateMatrixWorld();let{renderTarget:i,activeMipmapLevel:s}=this;this.coordinateSystem!==e.coordinateSystem&&(this.coordinateSystem=e.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,h,l,c]=this.children,u=e.getRenderTarget(),d=e.getActiveCubeFace(),f=e.getActiveMipmapLevel(),p=e.xr.enabled;e.xr.enabled=!1;let _=i.texture.mipmapsAutoUpdate;i.texture.mipmapsAutoUpdate=!1;let m=!1;e.isWebGLRenderer===!0?m=e.state.buffers.depth.getReversed():m=e.reversedDepthBuffer,e.setRenderTarget(i,0,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,r),e.setRenderTarget(i,1,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,o),e.setRenderTarget(i,2,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,a),e.setRenderTarget(i,3,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,h),e.setRenderTarget(i,4,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,l),i.texture.mipmapsAutoUpdate=_,e.setRenderTarget(i,5,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,c),e.setRenderTarget(u,d,f),e.xr.enabled=p,i.texture.needsPMREMUpdate=!0}},Uo=class extends Vt{constructor(e=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=e,this.perCameraFrustumCulled=!1}};var Th="\\[\\]\\.:\\/",Jp=new RegExp("["+Th+"]","g"),Eh="[^"+Th+"]",Kp="[^"+Th.replace("\\.","")+"]",jp=/((?:WC+[\/:])*)/.source.replace("WC",Eh),Qp=/(WCOD+)?/.source.replace("WCOD",Kp),em=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",Eh),tm=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",Eh),im=new RegExp("^"+jp+Qp+em+tm+"$"),nm=["material","materials","bones","map"],Xl=class{constructor(e,t,i){let s=i||rt.parseTrackName(t);this._targetGroup=e,this._bindings=e.subscribe_(t,s)}getValue(e,t){this.bind();let i=this._targetGroup.nCachedObjects_,s=this._bindings[i];s!==void 0&&s.getValue(e,t)}setValue(e,t){let i=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=i.length;s!==r;++s)i[s].setValue(e,t)}bind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,i=e.length;t!==i;++t)e[t].bind()}unbind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,i=e.length;t!==i;++t)e[t].unbind()}},rt=class n{constructor(e,t,i){this.path=t,this.parsedPath=i||n.parseTrackName(t),this.node=n.findNode(e,this.parsedPath.nodeName),this.rootNode=e,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(e,t,i){return e&&e.isAnimationObjectGroup?new n.Composite(e,t,i):new n(e,t,i)}static sanitizeNodeName(e){return e.replace(/\s/g,"_").replace(Jp,"")}static parseTrackName(e){let t=im.exec(e);if(t===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+e);let i={nodeName:t[2],objectName:t[3],objectIndex:t[4],propertyName:t[5],propertyIndex:t[6]},s=i.nodeName&&i.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=i.nodeName.substring(s+1);nm.indexOf(r)!==-1&&(i.nodeName=i.nodeName.substring(0,s),i.objectName=r)}if(i.propertyName===null||i.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+e);return i}static findNode(e,t){if(t===void 0||t===""||t==="."||t===-1||t===e.name||t===e.uuid)return e;if(e.skeleton){let i=e.skeleton.getBoneByName(t);if(i!==void 0)return i}if(e.children){let i=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===t||a.uuid===t)return a;let h=i(a.children);if(h)return h}return null},s=i(e.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(e,t){e[t]=this.targetObject[this.propertyName]}_getValue_array(e,t){let i=this.resolvedProperty;for(let s=0,r=i.length;s!==r;++s)e[t++]=i[s]}_getValue_arrayElement(e,t){e[t]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(e,t){this.resolvedProperty.toArray(e,t)}_setValue_direct(e,t){this.targetObject[this.propertyName]=e[t]}_setValue_direct_setNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(e,t){let i=this.resolvedProperty;for(let s=0,r=i.length;s!==r;++s)i[s]=e[t++]}_setValue_array_setNeedsUpdate(e,t){let i=this.resolvedProperty;for(let s=0,r=i.length;s!==r;++s)i[s]=e[t++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(e,t){let i=this.resolvedProperty;for(let s=0,r=i.length;s!==r;++s)i[s]=e[t++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(e,t){this.resolvedProperty[this.propertyIndex]=e[t]}_setValue_arrayElement_setNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(e,t){this.resolvedProperty.fromArray(e,t)}_setValue_fromArray_setNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(e,t){this.bind(),this.getValue(e,t)}_setValue_unbound(e,t){this.bind(),this.setValue(e,t)}bind(){let e=this.node,t=this.parsedPath,i=t.objectName,s=t.propertyName,r=t.propertyIndex;if(e||(e=n.findNode(this.rootNode,t.nodeName),this.node=e),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!e){Re("PropertyBinding: No target node found for track: "+this.path+".");return}if(i){let l=t.objectIndex;switch(i){case"materials":if(!e.material){De("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!e.material.materials){De("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}e=e.material.materials;break;case"bones":if(!e.skeleton){De("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}e=e.skeleton.bones;for(let c=0;c<e.length;c++)if(e[c].name===l){l=c;break}break;case"map":if("map"in e){e=e.map;break}if(!e.material){De("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!e.material.map){De("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}e=e.material.map;break;default:if(e[i]===void 0){De("PropertyBinding: Can not bind to objectName of node undefined.",this);return}e=e[i]}if(l!==void 0){if(e[l]===void 0){De("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,e);return}e=e[l]}}let o=e[s];if(o===void 0){let l=t.nodeName;De("PropertyBinding: Trying to update property for track: "+l+"."+s+" but it wasn't found.",e);return}let a=this.Versioning.None;this.targetObject=e,e.isMaterial===!0?a=this.Versioning.NeedsUpdate:e.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let h=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!e.geometry){De("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!e.geometry.morphAttributes){De("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}e.morphTargetDictionary[r]!==void 0&&(r=e.morphTargetDictionary[r])}h=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(h=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(h=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[h],this.setValue=this.SetterByBindingTypeAndVersioning[h][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};rt.Composite=Xl;rt.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};rt.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};rt.prototype.GetterByBindingType=[rt.prototype._getValue_direct,rt.prototype._getValue_array,rt.prototype._getValue_arrayElement,rt.prototype._getValue_toArray];rt.prototype.SetterByBindingTypeAndVersioning=[[rt.prototype._setValue_direct,rt.prototype._setValue_direct_setNeedsUpdate,rt.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[rt.prototype._setValue_array,rt.prototype._setValue_array_setNeedsUpdate,rt.prototype._setValue_array_setMatrixWorldNeedsUpdate],[rt.prototype._setValue_arrayElement,rt.prototype._setValue_arrayElement_setNeedsUpdate,rt.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[rt.prototype._setValue_fromArray,rt.prototype._setValue_fromArray_setNeedsUpdate,rt.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var yM=new Float32Array(1);var hn=class extends yo{constructor(e,t,i=1){super(e,t),this.isInstancedInterleavedBuffer=!0,this.meshPerAttribute=i}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}clone(e){let t=super.clone(e);return t.meshPerAttribute=this.meshPerAttribute,t}toJSON(e){let t=super.toJSON(e);return t.isInstancedInterleavedBuffer=!0,t.meshPerAttribute=this.meshPerAttribute,t}};var uu=new Ke,sr=class{constructor(e,t,i=0,s=1/0){this.ray=new Tn(e,t),this.near=i,this.far=s,this.camera=null,this.layers=new os,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(e,t){this.ray.set(e,t)}setFromCamera(e,t){t.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(e.x,e.y,.5).unproject(t).sub(this.ray.origin).normalize(),this.camera=t):t.isOrthographicCamera?(this.ray.origin.set(e.x,e.y,t.projectionMatrix.elements[14]).unproject(t),this.ray.direction.set(0,0,-1).transformDirection(t.matrixWorld),this.camera=t):De("Raycaster: Unsupported camera type: "+t.type)}setFromXRController(e){return uu.identity().extractRotation(e.matrixWorld),this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(uu),this}intersectObject(e,t=!0,i=[]){return ql(e,this,i,t),i.sort(du),i}intersectObjects(e,t=!0,i=[]){for(let s=0,r=e.length;s<r;s++)ql(e[s],this,i,t);return i.sort(du),i}};function du(n,e){return n.distance-e.distance}function ql(n,e,t,i){let s=!0;if(n.layers.test(e.layers)&&n.raycast(e,t)===!1&&(s=!1),s===!0&&i===!0){let r=n.children;for(let o=0,a=r.length;o<a;o++)ql(r[o],e,t,!0)}}var ds=class{constructor(e=1,t=0,i=0){this.radius=e,this.phi=t,this.theta=i}set(e,t,i){return this.radius=e,this.phi=t,this.theta=i,this}copy(e){return this.radius=e.radius,this.phi=e.phi,this.theta=e.theta,this}makeSafe(){return this.phi=Be(this.phi,1e-6,Math.PI-1e-6),this}setFromVector3(e){return this.setFromCartesianCoords(e.x,e.y,e.z)}setFromCartesianCoords(e,t,i){return this.radius=Math.sqrt(e*e+t*t+i*i),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(e,i),this.phi=Math.acos(Be(t/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}};var Dh=class Dh{constructor(e,t,i,s){this.elements=[1,0,0,1],e!==void 0&&this.set(e,t,i,s)}identity(){return this.set(1,0,0,1),this}fromArray(e,t=0){for(let i=0;i<4;i++)this.elements[i]=e[i+t];return this}set(e,t,i,s){let r=this.elements;return r[0]=e,r[2]=t,r[1]=i,r[3]=s,this}};Dh.prototype.isMatrix2=!0;var Yl=Dh;var fu=new R,io=new R,Kn=new R,jn=new R,kl=new R,sm=new R,rm=new R,rr=class{constructor(e=new R,t=new R){this.start=e,this.end=t}set(e,t){return this.start.copy(e),this.end.copy(t),this}copy(e){return this.start.copy(e.start),this.end.copy(e.end),this}getCenter(e){return e.addVectors(this.start,this.end).multiplyScalar(.5)}delta(e){return e.subVectors(this.end,this.start)}distanceSq(){return this.start.distanceToSquared(this.end)}distance(){return this.start.distanceTo(this.end)}at(e,t){return this.delta(t).multiplyScalar(e).add(this.start)}closestPointToPointParameter(e,t){fu.subVectors(e,this.start),io.subVectors(this.end,this.start);let i=io.dot(io);if(i===0)return 0;let r=io.dot(fu)/i;return t&&(r=Be(r,0,1)),r}closestPointToPoint(e,t,i){let s=this.closestPointToPointParameter(e,t);return this.delta(i).multiplyScalar(s).add(this.start)}distanceSqToLine3(e,t=sm,i=rm){let s=10000000000000001e-32,r,o,a=this.start,h=e.start,l=this.end,c=e.end;Kn.subVectors(l,a),jn.subVectors(c,h),kl.subVectors(a,h);let u=Kn.dot(Kn),d=jn.dot(jn),f=jn.dot(kl);if(u<=s&&d<=s)return t.copy(a),i.copy(h),t.distanceToSquared(i);if(u<=s)r=0,o=f/d,o=Be(o,0,1);else{let p=Kn.dot(kl);if(d<=s)o=0,r=Be(-p/u,0,1);else{let _=Kn.dot(jn),m=u*d-_*_;m!==0?r=Be((_*f-p*d)/m,0,1):r=0,o=(_*r+f)/d,o<0?(o=0,r=Be(-p/u,0,1)):o>1&&(o=1,r=Be((_-p)/u,0,1))}}return t.copy(a).addScaledVector(Kn,r),i.copy(h).addScaledVector(jn,o),t.distanceToSquared(i)}applyMatrix4(e){return this.start.applyMatrix4(e),this.end.applyMatrix4(e),this}equals(e){return e.start.equals(this.start)&&e.end.equals(this.end)}clone(){return new this.constructor().copy(this)}};var or=class extends Mi{constructor(e,t=null){super(),this.object=e,this.domElement=t,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(e){this.domElement!==null&&this.disconnect(),this.domElement=e}disconnect(){}dispose(){}update(){}};function Ch(n,e,t,i){let s=om(i);switch(t){case fh:return n*e;case Vo:return n*e/s.components*s.byteLength;case Wo:return n*e/s.components*s.byteLength;case fn:return n*e*2/s.components*s.byteLength;case Xo:return n*e*2/s.components*s.byteLength;case ph:return n*e*3/s.components*s.byteLength;case Ai:return n*e*4/s.components*s.byteLength;case qo:return n*e*4/s.components*s.byteLength;case hr:case cr:return Math.floor((n+3)/4)*Math.floor((e+3)/4)*8;case ur:case dr:return Math.floor((n+3)/4)*Math.floor((e+3)/4)*16;case $o:case Jo:return Math.max(n,16)*Math.max(e,8)/4;case Yo:case Zo:return Math.max(n,8)*Math.max(e,8)/2;case Ko:case jo:case ea:case ta:return Math.floor((n+3)/4)*Math.floor((e+3)/4)*8;case Qo:case fr:case ia:return Math.floor((n+3)/4)*Math.floor((e+3)/4)*16;case na:return Math.floor((n+3)/4)*Math.floor((e+3)/4)*16;case sa:return Math.floor((n+4)/5)*Math.floor((e+3)/4)*16;case ra:return Math.floor((n+4)/5)*Math.floor((e+4)/5)*16;case oa:return Math.floor((n+5)/6)*Math.floor((e+4)/5)*16;case aa:return Math.floor((n+5)/6)*Math.floor((e+5)/6)*16;case la:return Math.floor((n+7)/8)*Math.floor((e+4)/5)*16;case ha:return Math.floor((n+7)/8)*Math.floor((e+5)/6)*16;case ca:return Math.floor((n+7)/8)*Math.floor((e+7)/8)*16;case ua:return Math.floor((n+9)/10)*Math.floor((e+4)/5)*16;case da:return Math.floor((n+9)/10)*Math.floor((e+5)/6)*16;case fa:return Math.floor((n+9)/10)*Math.floor((e+7)/8)*16;case pa:return Math.floor((n+9)/10)*Math.floor((e+9)/10)*16;case ma:return Math.floor((n+11)/12)*Math.floor((e+9)/10)*16;case ga:return Math.floor((n+11)/12)*Math.floor((e+11)/12)*16;case xa:case ya:case _a:return Math.ceil(n/4)*Math.ceil(e/4)*16;case ba:case Ma:return Math.ceil(n/4)*Math.ceil(e/4)*8;case pr:case Sa:return Math.ceil(n/4)*Math.ceil(e/4)*16}throw new Error(`Unable to determine texture byte length for ${t} format.`)}function om(n){switch(n){case oi:case hh:return{byteLength:1,components:1};case gs:case ch:case wi:return{byteLength:2,components:1};case Go:case Ho:return{byteLength:2,components:4};case vi:case ko:case pi:return{byteLength:4,components:1};case uh:case dh:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${n}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?Re("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function bd(){let n=null,e=!1,t=null,i=null;function s(r,o){i=n.requestAnimationFrame(s),t(r,o)}return{start:function(){e!==!0&&t!==null&&n!==null&&(i=n.requestAnimationFrame(s),e=!0)},stop:function(){n!==null&&n.cancelAnimationFrame(i),e=!1},setAnimationLoop:function(r){t=r},setContext:function(r){n=r}}}function lm(n){let e=new WeakMap;function t(a,h){let l=a.array,c=a.usage,u=l.byteLength,d=n.createBuffer();n.bindBuffer(h,d),n.bufferData(h,l,c),a.onUploadCallback();let f;if(l instanceof Float32Array)f=n.FLOAT;else if(typeof Float16Array<"u"&&l instanceof Float16Array)f=n.HALF_FLOAT;else if(l instanceof Uint16Array)a.isFloat16BufferAttribute?f=n.HALF_FLOAT:f=n.UNSIGNED_SHORT;else if(l instanceof Int16Array)f=n.SHORT;else if(l instanceof Uint32Array)f=n.UNSIGNED_INT;else if(l instanceof Int32Array)f=n.INT;else if(l instanceof Int8Array)f=n.BYTE;else if(l instanceof Uint8Array)f=n.UNSIGNED_BYTE;else if(l instanceof Uint8ClampedArray)f=n.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+l);return{buffer:d,type:f,bytesPerElement:l.BYTES_PER_ELEMENT,version:a.version,size:u}}function i(a,h,l){let c=h.array,u=h.updateRanges;if(n.bindBuffer(l,a),u.length===0)n.bufferSubData(l,0,c);else{u.sort((f,p)=>f.start-p.start);let d=0;for(let f=1;f<u.length;f++){let p=u[d],_=u[f];_.start<=p.start+p.count+1?p.count=Math.max(p.count,_.start+_.count-p.start):(++d,u[d]=_)}u.length=d+1;for(let f=0,p=u.length;f<p;f++){let _=u[f];n.bufferSubData(l,_.start*c.BYTES_PER_ELEMENT,c,_.start,_.count)}h.clearUpdateRanges()}h.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),e.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let h=e.get(a);h&&(n.deleteBuffer(h.buffer),e.delete(a))}function o(a,h){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let c=e.get(a);(!c||c.version<a.version)&&e.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let l=e.get(a);if(l===void 0)e.set(a,t(a,h));else if(l.version<a.version){if(l.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");i(l.buffer,a,h),l.version=a.version}}return{get:s,remove:r,update:o}}var hm=`#ifdef USE_ALPHAHASH
if(diffuseColor.a<getAlphaHashThreshold(vPosition))discard;
#endif`,cm=`#ifdef USE_ALPHAHASH
const float ALPHA_HASH_SCALE=0.05;
float hash2D(vec2 value){
return fract(1.0e4*sin(17.0*value.x + 0.1*value.y)*(0.1 + abs(sin(13.0*value.y + value.x))));
}
float hash3D(vec3 value){
return hash2D(vec2(hash2D(value.xy),value.z));
}
float getAlphaHashThreshold(vec3 position){
float maxDeriv=max(
length(dFdx(position.xyz)),
length(dFdy(position.xyz))
);
float pixScale=1.0/(ALPHA_HASH_SCALE*maxDeriv);
vec2 pixScales=vec2(
exp2(floor(log2(pixScale))),
exp2(ceil(log2(pixScale)))
);
vec2 alpha=vec2(
hash3D(floor(pixScales.x*position.xyz)),
hash3D(floor(pixScales.y*position.xyz))
);
float lerpFactor=fract(log2(pixScale));
float x=(1.0 - lerpFactor)*alpha.x + lerpFactor*alpha.y;
float a=min(lerpFactor,1.0 - lerpFactor);
vec3 cases=vec3(
x*x/(2.0*a*(1.0 - a)),
(x - 0.5*a)/(1.0 - a),
1.0 -((1.0 - x)*(1.0 - x)/(2.0*a*(1.0 - a)))
);
float threshold=(x<(1.0 - a))
?((x<a)?cases.x:cases.y)
:cases.z;
return clamp(threshold,1.0e-6,1.0);
}
#endif`,um=`#ifdef USE_ALPHAMAP
diffuseColor.a*=texture2D(alphaMap,vAlphaMapUv).g;
#endif`,dm=`#ifdef USE_ALPHAMAP
uniform sampler2D alphaMap;
#endif`,fm=`#ifdef USE_ALPHATEST
#ifdef ALPHA_TO_COVERAGE
diffuseColor.a=smoothstep(alphaTest,alphaTest + fwidth(diffuseColor.a),diffuseColor.a);
if(diffuseColor.a==0.0)discard;
#else
if(diffuseColor.a<alphaTest)discard;
#endif
#endif`,pm=`#ifdef USE_ALPHATEST
uniform float alphaTest;
#endif`,mm=`#ifdef USE_AOMAP
float ambientOcclusion=(texture2D(aoMap,vAoMapUv).r - 1.0)*aoMapIntensity + 1.0;
reflectedLight.indirectDiffuse*=ambientOcclusion;
#if defined( USE_CLEARCOAT )
clearcoatSpecularIndirect*=ambientOcclusion;
#endif
#if defined( USE_SHEEN )
sheenSpecularIndirect*=ambientOcclusion;
#endif
#if defined( USE_ENVMAP ) && defined( STANDARD )
float dotNV=saturate(dot(geometryNormal,geometryViewDir));
reflectedLight.indirectSpecular*=computeSpecularOcclusion(dotNV,ambientOcclusion,material.roughness);
#endif
#endif`,gm=`#ifdef USE_AOMAP
uniform sampler2D aoMap;
uniform float aoMapIntensity;
#endif`,xm=`#ifdef USE_BATCHING
#if ! defined( GL_ANGLE_multi_draw )
#define gl_DrawID _gl_DrawID
uniform int _gl_DrawID;
#endif
uniform highp sampler2D batchingTexture;
uniform highp usampler2D batchingIdTexture;
mat4 getBatchingMatrix(const in float i){
int size=textureSize(batchingTexture,0).x;
int j=int(i)*4;
int x=j % size;
int y=j/size;
vec4 v1=texelFetch(batchingTexture,ivec2(x,y),0);
vec4 v2=texelFetch(batchingTexture,ivec2(x + 1,y),0);
vec4 v3=texelFetch(batchingTexture,ivec2(x + 2,y),0);
vec4 v4=texelFetch(batchingTexture,ivec2(x + 3,y),0);
return mat4(v1,v2,v3,v4);
}
float getIndirectIndex(const in int i){
int size=textureSize(batchingIdTexture,0).x;
int x=i % size;
int y=i/size;
return float(texelFetch(batchingIdTexture,ivec2(x,y),0).r);
}
#endif
#ifdef USE_BATCHING_COLOR
uniform sampler2D batchingColorTexture;
vec4 getBatchingColor(const in float i){
int size=textureSize(batchingColorTexture,0).x;
int j=int(i);
int x=j % size;
int y=j/size;
return texelFetch(batchingColorTexture,ivec2(x,y),0);
}
#endif`,ym=`#ifdef USE_BATCHING
mat4 batchingMatrix=getBatchingMatrix(getIndirectIndex(gl_DrawID));
#endif`,_m=`vec3 transformed=vec3(position);
#ifdef USE_ALPHAHASH
vPosition=vec3(position);
#endif`,bm=`vec3 objectNormal=vec3(normal);
#ifdef USE_TANGENT
vec3 objectTangent=vec3(tangent.xyz);
#endif`,Mm=`float G_BlinnPhong_Implicit(){
return 0.25;
}
float D_BlinnPhong(const in float shininess,const in float dotNH){
return RECIPROCAL_PI*(shininess*0.5 + 1.0)*pow(dotNH,shininess);
}
vec3 BRDF_BlinnPhong(const in vec3 lightDir,const in vec3 viewDir,const in vec3 normal,const in vec3 specularColor,const in float shininess){
vec3 halfDir=normalize(lightDir + viewDir);
float dotNH=saturate(dot(normal,halfDir));
float dotVH=saturate(dot(viewDir,halfDir));
vec3 F=F_Schlick(specularColor,1.0,dotVH);
float G=G_BlinnPhong_Implicit();
float D=D_BlinnPhong(shininess,dotNH);
return F*(G*D);
}//validated`,Sm="",vm=`#ifdef USE_BUMPMAP
uniform sampler2D bumpMap;
uniform float bumpScale;
vec2 dHdxy_fwd(){
vec2 dSTdx=dFdx(vBumpMapUv);
vec2 dSTdy=dFdy(vBumpMapUv);
float Hll=bumpScale*texture2D(bumpMap,vBumpMapUv).x;
float dBx=bumpScale*texture2D(bumpMap,vBumpMapUv + dSTdx).x - Hll;
float dBy=bumpScale*texture2D(bumpMap,vBumpMapUv + dSTdy).x - Hll;
return vec2(dBx,dBy);
}
vec3 perturbNormalArb(vec3 surf_pos,vec3 surf_norm,vec2 dHdxy,float faceDirection){
vec3 vSigmaX=normalize(dFdx(surf_pos.xyz));
vec3 vSigmaY=normalize(dFdy(surf_pos.xyz));
vec3 vN=surf_norm;
vec3 R1=cross(vSigmaY,vN);
vec3 R2=cross(vN,vSigmaX);
float fDet=dot(vSigmaX,R1)*faceDirection;
vec3 vGrad=sign(fDet)*(dHdxy.x*R1 + dHdxy.y*R2);
return normalize(abs(fDet)*surf_norm - vGrad);
}
#endif`,wm=`#if NUM_CLIPPING_PLANES > 0
vec4 plane;
#ifdef ALPHA_TO_COVERAGE
float distanceToPlane,distanceGradient;
float clipOpacity=1.0;
#pragma unroll_loop_start
for(int i=0;i<UNION_CLIPPING_PLANES;i ++){
plane=clippingPlanes[i];
distanceToPlane=- dot(vClipPosition,plane.xyz)+ plane.w;
distanceGradient=fwidth(distanceToPlane)/2.0;
clipOpacity*=smoothstep(- distanceGradient,distanceGradient,distanceToPlane);
if(clipOpacity==0.0)discard;
}
#pragma unroll_loop_end
#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
float unionClipOpacity=1.0;
#pragma unroll_loop_start
for(int i=UNION_CLIPPING_PLANES;i<NUM_CLIPPING_PLANES;i ++){
plane=clippingPlanes[i];
distanceToPlane=- dot(vClipPosition,plane.xyz)+ plane.w;
distanceGradient=fwidth(distanceToPlane)/2.0;
unionClipOpacity*=1.0 - smoothstep(- distanceGradient,distanceGradient,distanceToPlane);
}
#pragma unroll_loop_end
clipOpacity*=1.0 - unionClipOpacity;
#endif
diffuseColor.a*=clipOpacity;
if(diffuseColor.a==0.0)discard;
#else
#pragma unroll_loop_start
for(int i=0;i<UNION_CLIPPING_PLANES;i ++){
plane=clippingPlanes[i];
if(dot(vClipPosition,plane.xyz)>plane.w)discard;
}
#pragma unroll_loop_end
#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
bool clipped=true;
#pragma unroll_loop_start
for(int i=UNION_CLIPPING_PLANES;i<NUM_CLIPPING_PLANES;i ++){
plane=clippingPlanes[i];
clipped=(dot(vClipPosition,plane.xyz)>plane.w)&&clipped;
}
#pragma unroll_loop_end
if(clipped)discard;
#endif
#endif
#endif`,Am=`#if NUM_CLIPPING_PLANES > 0
varying vec3 vClipPosition;
uniform vec4 clippingPlanes[NUM_CLIPPING_PLANES];
#endif`,Tm=`#if NUM_CLIPPING_PLANES > 0
varying vec3 vClipPosition;
#endif`,Em=`#if NUM_CLIPPING_PLANES > 0
vClipPosition=- mvPosition.xyz;
#endif`,Cm=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
diffuseColor*=vColor;
#endif`,Rm=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
varying vec4 vColor;
#endif`,Pm=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
varying vec4 vColor;
#endif`,Im=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
vColor=vec4(1.0);
#endif
#ifdef USE_COLOR_ALPHA
vColor*=color;
#elif defined( USE_COLOR )
vColor.rgb*=color;
#endif
#ifdef USE_INSTANCING_COLOR
vColor.rgb*=instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
vColor*=getBatchingColor(getIndirectIndex(gl_DrawID));
#endif`,Lm=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2(const in float x){return x*x;}
vec3 pow2(const in vec3 x){return x*x;}
float pow3(const in float x){return x*x*x;}
float pow4(const in float x){float x2=x*x;return x2*x2;}
float max3(const in vec3 v){return max(max(v.x,v.y),v.z);}
float average(const in vec3 v){return dot(v,vec3(0.3333333));}
highp float rand(const in vec2 uv){
const highp float a=12.9898,b=78.233,c=43758.5453;
highp float dt=dot(uv.xy,vec2(a,b)),sn=mod(dt,PI);
return fract(sin(sn)*c);
}
#ifdef HIGH_PRECISION
float precisionSafeLength(vec3 v){return length(v);}
#else
float precisionSafeLength(vec3 v){
float maxComponent=max3(abs(v));
return length(v/maxComponent)*maxComponent;
}
#endif
struct IncidentLight{
vec3 color;
vec3 direction;
bool visible;
};
struct ReflectedLight{
vec3 directDiffuse;
vec3 directSpecular;
vec3 indirectDiffuse;
vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
varying vec3 vPosition;
#endif
vec3 transformDirection(in vec3 dir,in mat4 matrix){
return normalize((matrix*vec4(dir,0.0)).xyz);
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix(in vec3 normal,in mat4 viewMatrix){
return normalize((vec4(normal,0.0)*viewMatrix).xyz);
}
vec3 transformDirectionByInverseViewMatrix(in vec3 dir,in mat4 viewMatrix){
return normalize((vec4(dir,0.0)*viewMatrix).xyz);
}
bool isPerspectiveMatrix(mat4 m){
return m[2][3]==- 1.0;
}
vec2 equirectUv(in vec3 dir){
float u=atan(dir.z,dir.x)*RECIPROCAL_PI2 + 0.5;
float v=asin(clamp(dir.y,- 1.0,1.0))*RECIPROCAL_PI + 0.5;
return vec2(u,v);
}
vec3 BRDF_Lambert(const in vec3 diffuseColor){
return RECIPROCAL_PI*diffuseColor;
}
vec3 F_Schlick(const in vec3 f0,const in float f90,const in float dotVH){
float fresnel=exp2((- 5.55473*dotVH - 6.98316)*dotVH);
return f0*(1.0 - fresnel)+(f90*fresnel);
}
float F_Schlick(const in float f0,const in float f90,const in float dotVH){
float fresnel=exp2((- 5.55473*dotVH - 6.98316)*dotVH);
return f0*(1.0 - fresnel)+(f90*fresnel);
}//validated`,Dm=`vec3 transformedNormal=objectNormal;
#ifdef USE_TANGENT
vec3 transformedTangent=objectTangent;
#endif
#ifdef USE_BATCHING
mat3 bm=mat3(batchingMatrix);
transformedNormal/=vec3(dot(bm[0],bm[0]),dot(bm[1],bm[1]),dot(bm[2],bm[2]));
transformedNormal=bm*transformedNormal;
#ifdef USE_TANGENT
transformedTangent=bm*transformedTangent;
#endif
#endif
#ifdef USE_INSTANCING
mat3 im=mat3(instanceMatrix);
transformedNormal/=vec3(dot(im[0],im[0]),dot(im[1],im[1]),dot(im[2],im[2]));
transformedNormal=im*transformedNormal;
#ifdef USE_TANGENT
transformedTangent=im*transformedTangent;
#endif
#endif
transformedNormal=normalMatrix*transformedNormal;
#ifdef FLIP_SIDED
transformedNormal=- transformedNormal;
#endif
#ifdef USE_TANGENT
transformedTangent=(modelViewMatrix*vec4(transformedTangent,0.0)).xyz;
#endif`,Nm=`#ifdef USE_DISPLACEMENTMAP
uniform sampler2D displacementMap;
uniform float displacementScale;
uniform float displacementBias;
#endif`,Um=`#ifdef USE_DISPLACEMENTMAP
transformed +=normalize(objectNormal)*(texture2D(displacementMap,vDisplacementMapUv).x*displacementScale + displacementBias);
#endif`,Om=`#ifdef USE_EMISSIVEMAP
vec4 emissiveColor=texture2D(emissiveMap,vEmissiveMapUv);
#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
emissiveColor=sRGBTransferEOTF(emissiveColor);
#endif
totalEmissiveRadiance*=emissiveColor.rgb;
#endif`,Fm=`#ifdef USE_EMISSIVEMAP
uniform sampler2D emissiveMap;
#endif`,Bm="gl_FragColor = linearToOutputTexel( gl_FragColor );",zm=`vec4 LinearTransferOETF(in vec4 value){
return value;
}
vec4 sRGBTransferEOTF(in vec4 value){
return vec4(mix(pow(value.rgb*0.9478672986 + vec3(0.0521327014),vec3(2.4)),value.rgb*0.0773993808,vec3(lessThanEqual(value.rgb,vec3(0.04045)))),value.a);
}
vec4 sRGBTransferOETF(in vec4 value){
return vec4(mix(pow(value.rgb,vec3(0.41666))*1.055 - vec3(0.055),value.rgb*12.92,vec3(lessThanEqual(value.rgb,vec3(0.0031308)))),value.a);
}`,km=`#ifdef USE_ENVMAP
#ifdef ENV_WORLDPOS
vec3 cameraToFrag;
if(isOrthographic){
cameraToFrag=normalize(vec3(- viewMatrix[0][2],- viewMatrix[1][2],- viewMatrix[2][2]));
}else{
cameraToFrag=normalize(vWorldPosition - cameraPosition);
}
vec3 worldNormal=transformNormalByInverseViewMatrix(normal,viewMatrix);
#ifdef ENVMAP_MODE_REFLECTION
vec3 reflectVec=reflect(cameraToFrag,worldNormal);
#else
vec3 reflectVec=refract(cameraToFrag,worldNormal,refractionRatio);
#endif
#else
vec3 reflectVec=vReflect;
#endif
#ifdef ENVMAP_TYPE_CUBE
vec4 envColor=textureCube(envMap,envMapRotation*reflectVec);
#ifdef ENVMAP_BLENDING_MULTIPLY
outgoingLight=mix(outgoingLight,outgoingLight*envColor.xyz,specularStrength*reflectivity);
#elif defined( ENVMAP_BLENDING_MIX )
outgoingLight=mix(outgoingLight,envColor.xyz,specularStrength*reflectivity);
#elif defined( ENVMAP_BLENDING_ADD )
outgoingLight +=envColor.xyz*specularStrength*reflectivity;
#endif
#endif
#endif`,Gm=`#ifdef USE_ENVMAP
uniform float envMapIntensity;
uniform mat3 envMapRotation;
uniform samplerCube envMap;
#ifdef ENVMAP_TYPE_PMREM
float roughnessToMip(const in float roughness){
float r=clamp(roughness,0.0,1.0);
return ENVMAP_MAX_LOD*r*(2.0 - r);
}
#endif
#endif`,Hm=`#ifdef USE_ENVMAP
uniform float reflectivity;
#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
#define ENV_WORLDPOS
#endif
#ifdef ENV_WORLDPOS
varying vec3 vWorldPosition;
uniform float refractionRatio;
#else
varying vec3 vReflect;
#endif
#endif`,Vm=`#ifdef USE_ENVMAP
#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
#define ENV_WORLDPOS
#endif
#ifdef ENV_WORLDPOS
varying vec3 vWorldPosition;
#else
varying vec3 vReflect;
uniform float refractionRatio;
#endif
#endif`,Wm=`#ifdef USE_ENVMAP
#ifdef ENV_WORLDPOS
vWorldPosition=worldPosition.xyz;
#else
vec3 cameraToVertex;
if(isOrthographic){
cameraToVertex=normalize(vec3(- viewMatrix[0][2],- viewMatrix[1][2],- viewMatrix[2][2]));
}else{
cameraToVertex=normalize(worldPosition.xyz - cameraPosition);
}
vec3 worldNormal=transformNormalByInverseViewMatrix(transformedNormal,viewMatrix);
#ifdef ENVMAP_MODE_REFLECTION
vReflect=reflect(cameraToVertex,worldNormal);
#else
vReflect=refract(cameraToVertex,worldNormal,refractionRatio);
#endif
#endif
#endif`,Xm=`#ifdef USE_FOG
vFogDepth=- mvPosition.z;
#endif`,qm=`#ifdef USE_FOG
varying float vFogDepth;
#endif`,Ym=`#ifdef USE_FOG
#ifdef FOG_EXP2
float fogFactor=1.0 - exp(- fogDensity*fogDensity*vFogDepth*vFogDepth);
#else
float fogFactor=smoothstep(fogNear,fogFar,vFogDepth);
#endif
gl_FragColor.rgb=mix(gl_FragColor.rgb,fogColor,fogFactor);
#endif`,$m=`#ifdef USE_FOG
uniform vec3 fogColor;
varying float vFogDepth;
#ifdef FOG_EXP2
uniform float fogDensity;
#else
uniform float fogNear;
uniform float fogFar;
#endif
#endif`,Zm=`#ifdef USE_GRADIENTMAP
uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance(vec3 normal,vec3 lightDirection){
float dotNL=dot(normal,lightDirection);
vec2 coord=vec2(dotNL*0.5 + 0.5,0.0);
#ifdef USE_GRADIENTMAP
return vec3(texture2D(gradientMap,coord).r);
#else
vec2 fw=fwidth(coord)*0.5;
return mix(vec3(0.7),vec3(1.0),smoothstep(0.7 - fw.x,0.7 + fw.x,coord.x));
#endif
}`,Jm=`#ifdef USE_LIGHTMAP
uniform sampler2D lightMap;
uniform float lightMapIntensity;
#endif`,Km="",jm="",Qm=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
uniform vec3 lightProbe[9];
#endif
vec3 shGetIrradianceAt(in vec3 normal,in vec3 shCoefficients[9]){
float x=normal.x,y=normal.y,z=normal.z;
vec3 result=shCoefficients[0]*0.886227;
result +=shCoefficients[1]*2.0*0.511664*y;
result +=shCoefficients[2]*2.0*0.511664*z;
result +=shCoefficients[3]*2.0*0.511664*x;
result +=shCoefficients[4]*2.0*0.429043*x*y;
result +=shCoefficients[5]*2.0*0.429043*y*z;
result +=shCoefficients[6]*(0.743125*z*z - 0.247708);
result +=shCoefficients[7]*2.0*0.429043*x*z;
result +=shCoefficients[8]*0.429043*(x*x - y*y);
return result;
}
vec3 getLightProbeIrradiance(const in vec3 lightProbe[9],const in vec3 normal){
vec3 worldNormal=transformNormalByInverseViewMatrix(normal,viewMatrix);
vec3 irradiance=shGetIrradianceAt(worldNormal,lightProbe);
return irradiance;
}
vec3 getAmbientLightIrradiance(const in vec3 ambientLightColor){
vec3 irradiance=ambientLightColor;
return irradiance;
}
float getDistanceAttenuation(const in float lightDistance,const in float cutoffDistance,const in float decayExponent){
float distanceFalloff=1.0/max(pow(lightDistance,decayExponent),0.01);
if(cutoffDistance>0.0){
distanceFalloff*=pow2(saturate(1.0 - pow4(lightDistance/cutoffDistance)));
}
return distanceFalloff;
}
float getSpotAttenuation(const in float coneCosine,const in float penumbraCosine,const in float angleCosine){
return smoothstep(coneCosine,penumbraCosine,angleCosine);
}
#if NUM_SUN_LIGHTS > 0
struct SunLight{
vec3 direction;
vec3 color;
};
uniform SunLight sunLights[NUM_SUN_LIGHTS];
void getSunLightInfo(const in SunLight sunLight,out IncidentLight light){
light.color=sunLight.color;
light.direction=sunLight.direction;
light.visible=true;
}
#endif
#if NUM_DIR_LIGHTS > 0
struct DirectionalLight{
vec3 direction;
vec3 color;
};
uniform DirectionalLight directionalLights[NUM_DIR_LIGHTS];
void getDirectionalLightInfo(const in DirectionalLight directionalLight,out IncidentLight light){
light.color=directionalLight.color;
light.direction=directionalLight.direction;
light.visible=true;
}
#endif
#if NUM_POINT_LIGHTS > 0
struct PointLight{
vec3 position;
vec3 color;
float distance;
float decay;
};
uniform PointLight pointLights[NUM_POINT_LIGHTS];
void getPointLightInfo(const in PointLight pointLight,const in vec3 geometryPosition,out IncidentLight light){
vec3 lVector=pointLight.position - geometryPosition;
light.direction=normalize(lVector);
float lightDistance=length(lVector);
light.color=pointLight.color;
light.color*=getDistanceAttenuation(lightDistance,pointLight.distance,pointLight.decay);
light.visible=(light.color!=vec3(0.0));
}
#endif
#if NUM_SPOT_LIGHTS > 0
struct SpotLight{
vec3 position;
vec3 direction;
vec3 color;
float distance;
float decay;
float coneCos;
float penumbraCos;
};
uniform SpotLight spotLights[NUM_SPOT_LIGHTS];
void getSpotLightInfo(const in SpotLight spotLight,const in vec3 geometryPosition,out IncidentLight light){
vec3 lVector=spotLight.position - geometryPosition;
light.direction=normalize(lVector);
float angleCos=dot(light.direction,spotLight.direction);
float spotAttenuation=getSpotAttenuation(spotLight.coneCos,spotLight.penumbraCos,angleCos);
if(spotAttenuation>0.0){
float lightDistance=length(lVector);
light.color=spotLight.color*spotAttenuation;
light.color*=getDistanceAttenuation(lightDistance,spotLight.distance,spotLight.decay);
light.visible=(light.color!=vec3(0.0));
}else{
light.color=vec3(0.0);
light.visible=false;
}
}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
struct RectAreaLight{
vec3 color;
vec3 position;
vec3 halfWidth;
vec3 halfHeight;
};
uniform sampler2D ltc_1;uniform sampler2D ltc_2;
uniform RectAreaLight rectAreaLights[NUM_RECT_AREA_LIGHTS];
#endif
#if NUM_HEMI_LIGHTS > 0
struct HemisphereLight{
vec3 direction;
vec3 skyColor;
vec3 groundColor;
};
uniform HemisphereLight hemisphereLights[NUM_HEMI_LIGHTS];
vec3 getHemisphereLightIrradiance(const in HemisphereLight hemiLight,const in vec3 normal){
float dotNL=dot(normal,hemiLight.direction);
float hemiDiffuseWeight=0.5*dotNL + 0.5;
vec3 irradiance=mix(hemiLight.groundColor,hemiLight.skyColor,hemiDiffuseWeight);
return irradiance;
}
#endif
#include <lightprobes_pars_fragment>`,eg=`#ifdef USE_ENVMAP
vec3 getIBLIrradiance(const in vec3 normal){
#ifdef ENVMAP_TYPE_PMREM
vec3 worldNormal=transformNormalByInverseViewMatrix(normal,viewMatrix);
vec4 envMapColor=textureLod(envMap,envMapRotation*worldNormal,ENVMAP_MAX_LOD);
return PI*envMapColor.rgb*envMapIntensity;
#else
return vec3(0.0);
#endif
}
vec3 getIBLRadiance(const in vec3 viewDir,const in vec3 normal,const in float roughness){
#ifdef ENVMAP_TYPE_PMREM
vec3 reflectVec=reflect(- viewDir,normal);
reflectVec=normalize(mix(reflectVec,normal,pow4(roughness)));
reflectVec=transformDirectionByInverseViewMatrix(reflectVec,viewMatrix);
vec4 envMapColor=textureLod(envMap,envMapRotation*reflectVec,roughnessToMip(roughness));
return envMapColor.rgb*envMapIntensity;
#else
return vec3(0.0);
#endif
}
#ifdef USE_RETROREFLECTION
vec3 getIBLRetroRadiance(const in vec3 viewDir,const in vec3 normal,const in float roughness){
#ifdef ENVMAP_TYPE_PMREM
vec3 retroVec=normalize(mix(viewDir,normal,pow4(roughness)));
retroVec=transformDirectionByInverseViewMatrix(retroVec,viewMatrix);
vec4 envMapColor=textureLod(envMap,envMapRotation*retroVec,roughnessToMip(roughness));
return envMapColor.rgb*envMapIntensity;
#else
return vec3(0.0);
#endif
}
#endif
#ifdef USE_ANISOTROPY
vec3 getIBLAnisotropyRadiance(const in vec3 viewDir,const in vec3 normal,const in float roughness,const in vec3 bitangent,const in float anisotropy){
#ifdef ENVMAP_TYPE_PMREM
vec3 bentNormal=cross(bitangent,viewDir);
bentNormal=normalize(cross(bentNormal,bitangent));
bentNormal=normalize(mix(bentNormal,normal,pow2(pow2(1.0 - anisotropy*(1.0 - roughness)))));
return getIBLRadiance(viewDir,bentNormal,roughness);
#else
return vec3(0.0);
#endif
}
#ifdef USE_RETROREFLECTION
vec3 getIBLAnisotropyRetroRadiance(const in vec3 viewDir,const in vec3 normal,const in float roughness,const in vec3 bitangent,const in float anisotropy){
#ifdef ENVMAP_TYPE_PMREM
vec3 bentNormal=cross(bitangent,viewDir);
bentNormal=normalize(cross(bentNormal,bitangent));
bentNormal=normalize(mix(bentNormal,normal,pow2(pow2(1.0 - anisotropy*(1.0 - roughness)))));
return getIBLRetroRadiance(viewDir,bentNormal,roughness);
#else
return vec3(0.0);
#endif
}
#endif
#endif
#endif`,tg="",ig="",ng="",sg="",rg="",og="",ag=`vec3 geometryPosition=- vViewPosition;
vec3 geometryNormal=normal;
vec3 geometryViewDir=(isOrthographic)?vec3(0,0,1):normalize(vViewPosition);
vec3 geometryClearcoatNormal=vec3(0.0);
#ifdef USE_CLEARCOAT
geometryClearcoatNormal=clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
float dotNVi=saturate(dot(normal,geometryViewDir));
if(material.iridescenceThickness==0.0){
material.iridescence=0.0;
}else{
material.iridescence=saturate(material.iridescence);
}
if(material.iridescence>0.0){
vec3 iridescenceFresnelDielectric=evalIridescence(1.0,material.iridescenceIOR,dotNVi,material.iridescenceThickness,material.specularColor);
vec3 iridescenceFresnelMetallic=evalIridescence(1.0,material.iridescenceIOR,dotNVi,material.iridescenceThickness,material.diffuseColor);
material.iridescenceFresnel=mix(iridescenceFresnelDielectric,iridescenceFresnelMetallic,material.metalness);
material.iridescenceF0Dielectric=Schlick_to_F0(iridescenceFresnelDielectric,1.0,dotNVi);
material.iridescenceF0Metallic=Schlick_to_F0(iridescenceFresnelMetallic,1.0,dotNVi);
}
#endif
#ifdef STANDARD
float dotNVms=saturate(dot(geometryNormal,geometryViewDir));
material.dfg=texture2D(dfgLUT,vec2(material.roughness,dotNVms)).rg;
#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
float EssMs=material.dfg.x + material.dfg.y;
material.multiScatteringCompensation=1.0 + material.specularColorBlended*(1.0/EssMs - 1.0);
#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
PointLight pointLight;
#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
PointLightShadow pointLightShadow;
#endif
#pragma unroll_loop_start
for(int i=0;i<NUM_POINT_LIGHTS;i ++){
pointLight=pointLights[i];
getPointLightInfo(pointLight,geometryPosition,directLight);
#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
pointLightShadow=pointLightShadows[i];
directLight.color*=(directLight.visible&&receiveShadow)?getPointShadow(pointShadowMap[i],pointLightShadow.shadowMapSize,pointLightShadow.shadowIntensity,pointLightShadow.shadowBias,pointLightShadow.shadowRadius,vPointShadowCoord[i],pointLightShadow.shadowCameraNear,pointLightShadow.shadowCameraFar):1.0;
#endif
RE_Direct(directLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
SpotLight spotLight;
vec4 spotColor;
vec3 spotLightCoord;
bool inSpotLightMap;
#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
SpotLightShadow spotLightShadow;
#endif
#pragma unroll_loop_start
for(int i=0;i<NUM_SPOT_LIGHTS;i ++){
spotLight=spotLights[i];
getSpotLightInfo(spotLight,geometryPosition,directLight);
#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
#else
#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
#endif
#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
spotLightCoord=vSpotLightCoord[i].xyz/vSpotLightCoord[i].w;
inSpotLightMap=all(lessThan(abs(spotLightCoord*2. - 1.),vec3(1.0)));
spotColor=texture2D(spotLightMap[SPOT_LIGHT_MAP_INDEX],spotLightCoord.xy);
directLight.color=inSpotLightMap?directLight.color*spotColor.rgb:directLight.color;
#endif
#undef SPOT_LIGHT_MAP_INDEX
#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
spotLightShadow=spotLightShadows[i];
directLight.color*=(directLight.visible&&receiveShadow)?getShadow(spotShadowMap[i],spotLightShadow.shadowMapSize,spotLightShadow.shadowIntensity,spotLightShadow.shadowBias,spotLightShadow.shadowRadius,vSpotLightCoord[i]):1.0;
#endif
RE_Direct(directLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
SunLight sunLight;
#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
SunLightShadow sunLightShadow;
#endif
#pragma unroll_loop_start
for(int i=0;i<NUM_SUN_LIGHTS;i ++){
sunLight=sunLights[i];
getSunLightInfo(sunLight,directLight);
#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
sunLightShadow=sunLightShadows[i];
directLight.color*=(directLight.visible&&receiveShadow)?getSunShadow(sunShadowMap[i],sunLightShadow,UNROLLED_LOOP_INDEX):1.0;
#endif
RE_Direct(directLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
DirectionalLight directionalLight;
#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
DirectionalLightShadow directionalLightShadow;
#endif
#pragma unroll_loop_start
for(int i=0;i<NUM_DIR_LIGHTS;i ++){
directionalLight=directionalLights[i];
getDirectionalLightInfo(directionalLight,directLight);
#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
directionalLightShadow=directionalLightShadows[i];
directLight.color*=(directLight.visible&&receiveShadow)?getShadow(directionalShadowMap[i],directionalLightShadow.shadowMapSize,directionalLightShadow.shadowIntensity,directionalLightShadow.shadowBias,directionalLightShadow.shadowRadius,vDirectionalShadowCoord[i]):1.0;
#endif
RE_Direct(directLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
RectAreaLight rectAreaLight;
#pragma unroll_loop_start
for(int i=0;i<NUM_RECT_AREA_LIGHTS;i ++){
rectAreaLight=rectAreaLights[i];
RE_Direct_RectArea(rectAreaLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
vec3 iblIrradiance=vec3(0.0);
vec3 irradiance=getAmbientLightIrradiance(ambientLightColor);
#if defined( USE_LIGHT_PROBES )
irradiance +=getLightProbeIrradiance(lightProbe,geometryNormal);
#endif
#if ( NUM_HEMI_LIGHTS > 0 )
#pragma unroll_loop_start
for(int i=0;i<NUM_HEMI_LIGHTS;i ++){
irradiance +=getHemisphereLightIrradiance(hemisphereLights[i],geometryNormal);
}
#pragma unroll_loop_end
#endif
#if NUM_LIGHT_PROBE_GRIDS > 0
vec3 probeWorldPos=((vec4(geometryPosition,1.0)- viewMatrix[3])*viewMatrix).xyz;
vec3 probeWorldNormal=transformNormalByInverseViewMatrix(geometryNormal,viewMatrix);
int probeGrid=- 1;
#pragma unroll_loop_start
for(int i=0;i<NUM_LIGHT_PROBE_GRIDS;i ++){
if(isInsideLightProbeGrid(probeWorldPos,probeWorldNormal,probesMin[i],probesMax[i],probesResolution[i]))probeGrid=UNROLLED_LOOP_INDEX;
}
#pragma unroll_loop_end
#pragma unroll_loop_start
for(int i=0;i<NUM_LIGHT_PROBE_GRIDS;i ++){
if(probeGrid==UNROLLED_LOOP_INDEX)irradiance +=getLightProbeGridIrradiance(probesSH[i],probesMin[i],probesMax[i],probesResolution[i],probeWorldPos,probeWorldNormal);
}
#pragma unroll_loop_end
#endif
#endif
#if defined( RE_IndirectSpecular )
vec3 radiance=vec3(0.0);
vec3 clearcoatRadiance=vec3(0.0);
#endif`,lg=`#if defined( RE_IndirectDiffuse )
#ifdef USE_LIGHTMAP
vec4 lightMapTexel=texture2D(lightMap,vLightMapUv);
vec3 lightMapIrradiance=lightMapTexel.rgb*lightMapIntensity;
irradiance +=lightMapIrradiance;
#endif
#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
iblIrradiance +=getIBLIrradiance(geometryNormal);
#endif
#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
#ifdef USE_ANISOTROPY
vec3 iblRadiance=getIBLAnisotropyRadiance(geometryViewDir,geometryNormal,material.roughness,material.anisotropyB,material.anisotropy);
#else
vec3 iblRadiance=getIBLRadiance(geometryViewDir,geometryNormal,material.roughness);
#endif
#ifdef USE_RETROREFLECTION
#ifdef USE_ANISOTROPY
vec3 retroIBLRadiance=getIBLAnisotropyRetroRadiance(geometryViewDir,geometryNormal,material.roughness,material.anisotropyB,material.anisotropy);
#else
vec3 retroIBLRadiance=getIBLRetroRadiance(geometryViewDir,geometryNormal,material.roughness);
#endif
iblRadiance=mix(iblRadiance,retroIBLRadiance,saturate(material.retroreflectivity));
#endif
radiance +=iblRadiance;
#ifdef USE_CLEARCOAT
clearcoatRadiance +=getIBLRadiance(geometryViewDir,geometryClearcoatNormal,material.clearcoatRoughness);
#endif
#endif`,hg=`#if defined( RE_IndirectDiffuse )
#if defined( LAMBERT ) || defined( PHONG )
irradiance +=iblIrradiance;
#endif
RE_IndirectDiffuse(irradiance,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
#endif
#if defined( RE_IndirectSpecular )
RE_IndirectSpecular(radiance,iblIrradiance,clearcoatRadiance,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
#endif`,cg=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[NUM_LIGHT_PROBE_GRIDS];
uniform vec3 probesMin[NUM_LIGHT_PROBE_GRIDS];
uniform vec3 probesMax[NUM_LIGHT_PROBE_GRIDS];
uniform vec3 probesResolution[NUM_LIGHT_PROBE_GRIDS];
bool isInsideLightProbeGrid(vec3 worldPos,vec3 worldNormal,vec3 probesMin,vec3 probesMax,vec3 probesResolution){
vec3 spacing=(probesMax - probesMin)/probesResolution;
vec3 samplePos=worldPos + worldNormal*spacing*0.5;
vec3 margin=spacing*0.01;
return all(greaterThanEqual(samplePos,probesMin - margin))&&all(lessThanEqual(samplePos,probesMax + margin));
}
vec3 getLightProbeGridIrradiance(highp sampler3D probesSH,vec3 probesMin,vec3 probesMax,vec3 probesResolution,vec3 worldPos,vec3 worldNormal){
vec3 res=probesResolution;
vec3 gridRange=probesMax - probesMin;
vec3 probeSpacing=gridRange/res;
vec3 samplePos=worldPos + worldNormal*probeSpacing*0.5;
vec3 uvw=clamp((samplePos - probesMin)/gridRange,0.5/res,1.0 - 0.5/res);
float nz=res.z;
float paddedSlices=nz + 2.0;
float atlasDepth=7.0*paddedSlices;
float uvZBase=uvw.z*nz + 1.0;
vec4 s0=texture(probesSH,vec3(uvw.xy,(uvZBase)/atlasDepth));
vec4 s1=texture(probesSH,vec3(uvw.xy,(uvZBase +       paddedSlices)/atlasDepth));
vec4 s2=texture(probesSH,vec3(uvw.xy,(uvZBase + 2.0*paddedSlices)/atlasDepth));
vec4 s3=texture(probesSH,vec3(uvw.xy,(uvZBase + 3.0*paddedSlices)/atlasDepth));
vec4 s4=texture(probesSH,vec3(uvw.xy,(uvZBase + 4.0*paddedSlices)/atlasDepth));
vec4 s5=texture(probesSH,vec3(uvw.xy,(uvZBase + 5.0*paddedSlices)/atlasDepth));
vec4 s6=texture(probesSH,vec3(uvw.xy,(uvZBase + 6.0*paddedSlices)/atlasDepth));
vec3 c0=s0.xyz;
vec3 c1=vec3(s0.w,s1.xy);
vec3 c2=vec3(s1.zw,s2.x);
vec3 c3=s2.yzw;
vec3 c4=s3.xyz;
vec3 c5=vec3(s3.w,s4.xy);
vec3 c6=vec3(s4.zw,s5.x);
vec3 c7=s5.yzw;
vec3 c8=s6.xyz;
float x=worldNormal.x,y=worldNormal.y,z=worldNormal.z;
vec3 result=c0*0.886227;
result +=c1*2.0*0.511664*y;
result +=c2*2.0*0.511664*z;
result +=c3*2.0*0.511664*x;
result +=c4*2.0*0.429043*x*y;
result +=c5*2.0*0.429043*y*z;
result +=c6*(0.743125*z*z - 0.247708);
result +=c7*2.0*0.429043*x*z;
result +=c8*0.429043*(x*x - y*y);
return max(result,vec3(0.0));
}
#endif`,ug=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
gl_FragDepth=vIsPerspective==0.0?gl_FragCoord.z:log2(vFragDepth)*logDepthBufFC*0.5;
#endif`,dg=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
uniform float logDepthBufFC;
varying float vFragDepth;
varying float vIsPerspective;
#endif`,fg=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
varying float vFragDepth;
varying float vIsPerspective;
#endif`,pg=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
vFragDepth=1.0 + gl_Position.w;
vIsPerspective=float(isPerspectiveMatrix(projectionMatrix));
#endif`,mg=`#ifdef USE_MAP
vec4 sampledDiffuseColor=texture2D(map,vMapUv);
#ifdef DECODE_VIDEO_TEXTURE
sampledDiffuseColor=sRGBTransferEOTF(sampledDiffuseColor);
#endif
diffuseColor*=sampledDiffuseColor;
#endif`,gg=`#ifdef USE_MAP
uniform sampler2D map;
#endif`,xg=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
#if defined( USE_POINTS_UV )
vec2 uv=vUv;
#else
vec2 uv=(uvTransform*vec3(gl_PointCoord.x,1.0 - gl_PointCoord.y,1)).xy;
#endif
#endif
#ifdef USE_MAP
diffuseColor*=texture2D(map,uv);
#endif
#ifdef USE_ALPHAMAP
diffuseColor.a*=texture2D(alphaMap,uv).g;
#endif`,yg=`#if defined( USE_POINTS_UV )
varying vec2 vUv;
#else
#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
uniform mat3 uvTransform;
#endif
#endif
#ifdef USE_MAP
uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
uniform sampler2D alphaMap;
#endif`,_g=`float metalnessFactor=metalness;
#ifdef USE_METALNESSMAP
vec4 texelMetalness=texture2D(metalnessMap,vMetalnessMapUv);
metalnessFactor*=texelMetalness.b;
#endif`,bg=`#ifdef USE_METALNESSMAP
uniform sampler2D metalnessMap;
#endif`,Mg=`#ifdef USE_INSTANCING_MORPH
float morphTargetInfluences[MORPHTARGETS_COUNT];
float morphTargetBaseInfluence=texelFetch(morphTexture,ivec2(0,gl_InstanceID),0).r;
for(int i=0;i<MORPHTARGETS_COUNT;i ++){
morphTargetInfluences[i]=texelFetch(morphTexture,ivec2(i + 1,gl_InstanceID),0).r;
}
#endif`,Sg=`#if defined( USE_MORPHCOLORS )
#if defined( USE_COLOR_ALPHA )
vColor*=morphTargetBaseInfluence;
#elif defined( USE_COLOR )
vColor.rgb*=morphTargetBaseInfluence;
#endif
for(int i=0;i<MORPHTARGETS_COUNT;i ++){
#if defined( USE_COLOR_ALPHA )
if(morphTargetInfluences[i]!=0.0)vColor +=getMorph(gl_VertexID,i,2)*morphTargetInfluences[i];
#elif defined( USE_COLOR )
if(morphTargetInfluences[i]!=0.0)vColor.rgb +=getMorph(gl_VertexID,i,2).rgb*morphTargetInfluences[i];
#endif
}
#endif`,vg=`#ifdef USE_MORPHNORMALS
objectNormal*=morphTargetBaseInfluence;
for(int i=0;i<MORPHTARGETS_COUNT;i ++){
if(morphTargetInfluences[i]!=0.0)objectNormal +=getMorph(gl_VertexID,i,1).xyz*morphTargetInfluences[i];
}
#endif`,wg=`#ifdef USE_MORPHTARGETS
#ifndef USE_INSTANCING_MORPH
uniform float morphTargetBaseInfluence;
uniform float morphTargetInfluences[MORPHTARGETS_COUNT];
#endif
uniform sampler2DArray morphTargetsTexture;
uniform ivec2 morphTargetsTextureSize;
vec4 getMorph(const in int vertexIndex,const in int morphTargetIndex,const in int offset){
int texelIndex=vertexIndex*MORPHTARGETS_TEXTURE_STRIDE + offset;
int y=texelIndex/morphTargetsTextureSize.x;
int x=texelIndex - y*morphTargetsTextureSize.x;
ivec3 morphUV=ivec3(x,y,morphTargetIndex);
return texelFetch(morphTargetsTexture,morphUV,0);
}
#endif`,Ag=`#ifdef USE_MORPHTARGETS
transformed*=morphTargetBaseInfluence;
for(int i=0;i<MORPHTARGETS_COUNT;i ++){
if(morphTargetInfluences[i]!=0.0)transformed +=getMorph(gl_VertexID,i,0).xyz*morphTargetInfluences[i];
}
#endif`,Tg=`float faceDirection=gl_FrontFacing?1.0:- 1.0;
#ifdef FLAT_SHADED
vec3 fdx=dFdx(vViewPosition);
vec3 fdy=dFdy(vViewPosition);
vec3 normal=normalize(cross(fdx,fdy));
#else
vec3 normal=normalize(vNormal);
#ifdef DOUBLE_SIDED
normal*=faceDirection;
#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
#ifdef USE_TANGENT
mat3 tbn=mat3(normalize(vTangent),normalize(vBitangent),normal);
#else
mat3 tbn=getTangentFrame(- vViewPosition,normal,
#if defined( USE_NORMALMAP )
vNormalMapUv
#elif defined( USE_CLEARCOAT_NORMALMAP )
vClearcoatNormalMapUv
#else
vUv
#endif
);
#endif
#ifdef DOUBLE_SIDED
tbn[0]*=faceDirection;
tbn[1]*=faceDirection;
#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
#ifdef USE_TANGENT
mat3 tbn2=mat3(normalize(vTangent),normalize(vBitangent),normal);
#else
mat3 tbn2=getTangentFrame(- vViewPosition,normal,vClearcoatNormalMapUv);
#endif
#ifdef DOUBLE_SIDED
tbn2[0]*=faceDirection;
tbn2[1]*=faceDirection;
#endif
#endif
vec3 nonPerturbedNormal=normal;`,Eg=`#ifdef USE_NORMALMAP_OBJECTSPACE
normal=texture2D(normalMap,vNormalMapUv).xyz*2.0 - 1.0;
#ifdef FLIP_SIDED
normal=- normal;
#endif
#ifdef DOUBLE_SIDED
normal=normal*faceDirection;
#endif
normal=normalize(normalMatrix*normal);
#elif defined( USE_NORMALMAP_TANGENTSPACE )
vec3 mapN=texture2D(normalMap,vNormalMapUv).xyz*2.0 - 1.0;
#if defined( USE_PACKED_NORMALMAP )
mapN=vec3(mapN.xy,sqrt(saturate(1.0 - dot(mapN.xy,mapN.xy))));
#endif
mapN.xy*=normalScale;
normal=normalize(tbn*mapN);
#elif defined( USE_BUMPMAP )
normal=perturbNormalArb(- vViewPosition,normal,dHdxy_fwd(),faceDirection);
#endif`,Cg=`#ifndef FLAT_SHADED
varying vec3 vNormal;
#ifdef USE_TANGENT
varying vec3 vTangent;
varying vec3 vBitangent;
#endif
#endif`,Rg=`#ifndef FLAT_SHADED
varying vec3 vNormal;
#ifdef USE_TANGENT
varying vec3 vTangent;
varying vec3 vBitangent;
#endif
#endif`,Pg=`#ifndef FLAT_SHADED
vNormal=normalize(transformedNormal);
#ifdef USE_TANGENT
vTangent=normalize(transformedTangent);
vBitangent=normalize(cross(vNormal,vTangent)*tangent.w);
#ifdef FLIP_SIDED
vBitangent=- vBitangent;
#endif
#endif
#endif`,Ig=`#ifdef USE_NORMALMAP
uniform sampler2D normalMap;
uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
mat3 getTangentFrame(vec3 eye_pos,vec3 surf_norm,vec2 uv){
vec3 q0=dFdx(eye_pos.xyz);
vec3 q1=dFdy(eye_pos.xyz);
vec2 st0=dFdx(uv.st);
vec2 st1=dFdy(uv.st);
vec3 N=surf_norm;
vec3 q1perp=cross(q1,N);
vec3 q0perp=cross(N,q0);
vec3 T=q1perp*st0.x + q0perp*st1.x;
vec3 B=q1perp*st0.y + q0perp*st1.y;
float det=max(dot(T,T),dot(B,B));
float scale=(det==0.0)?0.0:inversesqrt(det);
return mat3(T*scale,B*scale,N);
}
#endif`,Lg=`#ifdef USE_CLEARCOAT
vec3 clearcoatNormal=nonPerturbedNormal;
#endif`,Dg=`#ifdef USE_CLEARCOAT_NORMALMAP
vec3 clearcoatMapN=texture2D(clearcoatNormalMap,vClearcoatNormalMapUv).xyz*2.0 - 1.0;
clearcoatMapN.xy*=clearcoatNormalScale;
clearcoatNormal=normalize(tbn2*clearcoatMapN);
#endif`,Ng="",Ug="",Og=`#ifdef OPAQUE
diffuseColor.a=1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a*=material.transmissionAlpha;
#endif
gl_FragColor=vec4(outgoingLight,diffuseColor.a);`,Fg=`vec3 packNormalToRGB(const in vec3 normal){
return normalize(normal)*0.5 + 0.5;
}
vec3 unpackRGBToNormal(const in vec3 rgb){
return 2.0*rgb.xyz - 1.0;
}
const float PackUpscale=256./255.;const float UnpackDownscale=255./256.;const float ShiftRight8=1./256.;
const float Inv255=1./255.;
const vec4 PackFactors=vec4(1.0,256.0,256.0*256.0,256.0*256.0*256.0);
const vec2 UnpackFactors2=vec2(UnpackDownscale,1.0/PackFactors.g);
const vec3 UnpackFactors3=vec3(UnpackDownscale/PackFactors.rg,1.0/PackFactors.b);
const vec4 UnpackFactors4=vec4(UnpackDownscale/PackFactors.rgb,1.0/PackFactors.a);
vec4 packDepthToRGBA(const in float v){
if(v<=0.0)
return vec4(0.,0.,0.,0.);
if(v>=1.0)
return vec4(1.,1.,1.,1.);
float vuf;
float af=modf(v*PackFactors.a,vuf);
float bf=modf(vuf*ShiftRight8,vuf);
float gf=modf(vuf*ShiftRight8,vuf);
return vec4(vuf*Inv255,gf*PackUpscale,bf*PackUpscale,af);
}
vec3 packDepthToRGB(const in float v){
if(v<=0.0)
return vec3(0.,0.,0.);
if(v>=1.0)
return vec3(1.,1.,1.);
float vuf;
float bf=modf(v*PackFactors.b,vuf);
float gf=modf(vuf*ShiftRight8,vuf);
return vec3(vuf*Inv255,gf*PackUpscale,bf);
}
vec2 packDepthToRG(const in float v){
if(v<=0.0)
return vec2(0.,0.);
if(v>=1.0)
return vec2(1.,1.);
float vuf;
float gf=modf(v*256.,vuf);
return vec2(vuf*Inv255,gf);
}
float unpackRGBAToDepth(const in vec4 v){
return dot(v,UnpackFactors4);
}
float unpackRGBToDepth(const in vec3 v){
return dot(v,UnpackFactors3);
}
float unpackRGToDepth(const in vec2 v){
return v.r*UnpackFactors2.r + v.g*UnpackFactors2.g;
}
vec4 pack2HalfToRGBA(const in vec2 v){
vec4 r=vec4(v.x,fract(v.x*255.0),v.y,fract(v.y*255.0));
return vec4(r.x - r.y/255.0,r.y,r.z - r.w/255.0,r.w);
}
vec2 unpackRGBATo2Half(const in vec4 v){
return vec2(v.x +(v.y/255.0),v.z +(v.w/255.0));
}
float viewZToOrthographicDepth(const in float viewZ,const in float near,const in float far){
return(viewZ + near)/(near - far);
}
float orthographicDepthToViewZ(const in float depth,const in float near,const in float far){
#ifdef USE_REVERSED_DEPTH_BUFFER
return depth*(far - near)- far;
#else
return depth*(near - far)- near;
#endif
}
float viewZToPerspectiveDepth(const in float viewZ,const in float near,const in float far){
return((near + viewZ)*far)/((far - near)*viewZ);
}
float perspectiveDepthToViewZ(const in float depth,const in float near,const in float far){
#ifdef USE_REVERSED_DEPTH_BUFFER
return(near*far)/((near - far)*depth - near);
#else
return(near*far)/((far - near)*depth - far);
#endif
}`,Bg=`#ifdef PREMULTIPLIED_ALPHA
gl_FragColor.rgb*=gl_FragColor.a;
#endif`,zg=`vec4 mvPosition=vec4(transformed,1.0);
#ifdef USE_BATCHING
mvPosition=batchingMatrix*mvPosition;
#endif
#ifdef USE_INSTANCING
mvPosition=instanceMatrix*mvPosition;
#endif
mvPosition=modelViewMatrix*mvPosition;
gl_Position=projectionMatrix*mvPosition;`,kg=`#ifdef DITHERING
gl_FragColor.rgb=dithering(gl_FragColor.rgb);
#endif`,Gg=`#ifdef DITHERING
vec3 dithering(vec3 color){
float grid_position=rand(gl_FragCoord.xy);
vec3 dither_shift_RGB=vec3(0.25/255.0,-0.25/255.0,0.25/255.0);
dither_shift_RGB=mix(2.0*dither_shift_RGB,-2.0*dither_shift_RGB,grid_position);
return color + dither_shift_RGB;
}
#endif`,Hg=`float roughnessFactor=roughness;
#ifdef USE_ROUGHNESSMAP
vec4 texelRoughness=texture2D(roughnessMap,vRoughnessMapUv);
roughnessFactor*=texelRoughness.g;
#endif`,Vg=`#ifdef USE_ROUGHNESSMAP
uniform sampler2D roughnessMap;
#endif`,Wg=`#if NUM_SPOT_LIGHT_COORDS > 0
varying vec4 vSpotLightCoord[NUM_SPOT_LIGHT_COORDS];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
uniform sampler2D spotLightMap[NUM_SPOT_LIGHT_MAPS];
#endif
#ifdef USE_SHADOWMAP
#if NUM_SUN_LIGHT_SHADOWS > 0
#define SUN_LIGHT_CASCADES 2
#if defined( SHADOWMAP_TYPE_PCF )
uniform sampler2DShadow sunShadowMap[NUM_SUN_LIGHT_SHADOWS];
#else
uniform sampler2D sunShadowMap[NUM_SUN_LIGHT_SHADOWS];
#endif
uniform mat4 sunShadowMatrix[NUM_SUN_LIGHT_SHADOWS*SUN_LIGHT_CASCADES];
uniform vec4 sunShadowCascade[NUM_SUN_LIGHT_SHADOWS*SUN_LIGHT_CASCADES];
varying vec4 vSunShadowWorldPosition;
varying vec3 vSunShadowWorldNormal;
struct SunLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform SunLightShadow sunLightShadows[NUM_SUN_LIGHT_SHADOWS];
#endif
#if NUM_DIR_LIGHT_SHADOWS > 0
#if defined( SHADOWMAP_TYPE_PCF )
uniform sampler2DShadow directionalShadowMap[NUM_DIR_LIGHT_SHADOWS];
#else
uniform sampler2D directionalShadowMap[NUM_DIR_LIGHT_SHADOWS];
#endif
varying vec4 vDirectionalShadowCoord[NUM_DIR_LIGHT_SHADOWS];
struct DirectionalLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform DirectionalLightShadow directionalLightShadows[NUM_DIR_LIGHT_SHADOWS];
#endif
#if NUM_SPOT_LIGHT_SHADOWS > 0
#if defined( SHADOWMAP_TYPE_PCF )
uniform sampler2DShadow spotShadowMap[NUM_SPOT_LIGHT_SHADOWS];
#else
uniform sampler2D spotShadowMap[NUM_SPOT_LIGHT_SHADOWS];
#endif
struct SpotLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform SpotLightShadow spotLightShadows[NUM_SPOT_LIGHT_SHADOWS];
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0
#if defined( SHADOWMAP_TYPE_PCF )
uniform samplerCubeShadow pointShadowMap[NUM_POINT_LIGHT_SHADOWS];
#elif defined( SHADOWMAP_TYPE_BASIC )
uniform samplerCube pointShadowMap[NUM_POINT_LIGHT_SHADOWS];
#endif
varying vec4 vPointShadowCoord[NUM_POINT_LIGHT_SHADOWS];
struct PointLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
float shadowCameraNear;
float shadowCameraFar;
};
uniform PointLightShadow pointLightShadows[NUM_POINT_LIGHT_SHADOWS];
#endif
#if defined( SHADOWMAP_TYPE_PCF )
float interleavedGradientNoise(vec2 position){
return fract(52.9829189*fract(dot(position,vec2(0.06711056,0.00583715))));
}
vec2 vogelDiskSample(int sampleIndex,int samplesCount,float phi){
const float goldenAngle=2.399963229728653;
float r=sqrt((float(sampleIndex)+ 0.5)/float(samplesCount));
float theta=float(sampleIndex)*goldenAngle + phi;
return vec2(cos(theta),sin(theta))*r;
}
#endif
#if defined( SHADOWMAP_TYPE_PCF )
float getShadow(sampler2DShadow shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord){
float shadow=1.0;
shadowCoord.xyz/=shadowCoord.w;
#ifdef USE_REVERSED_DEPTH_BUFFER
shadowCoord.z -=shadowBias;
#else
shadowCoord.z +=shadowBias;
#endif
bool inFrustum=shadowCoord.x>=0.0&&shadowCoord.x<=1.0&&shadowCoord.y>=0.0&&shadowCoord.y<=1.0;
bool frustumTest=inFrustum&&shadowCoord.z<=1.0;
if(frustumTest){
vec2 texelSize=vec2(1.0)/shadowMapSize;
vec2 radius=shadowRadius*texelSize;
float phi=interleavedGradientNoise(gl_FragCoord.xy)*PI2;
shadow=(
texture(shadowMap,vec3(shadowCoord.xy + vogelDiskSample(0,5,phi)*radius,shadowCoord.z))+
texture(shadowMap,vec3(shadowCoord.xy + vogelDiskSample(1,5,phi)*radius,shadowCoord.z))+
texture(shadowMap,vec3(shadowCoord.xy + vogelDiskSample(2,5,phi)*radius,shadowCoord.z))+
texture(shadowMap,vec3(shadowCoord.xy + vogelDiskSample(3,5,phi)*radius,shadowCoord.z))+
texture(shadowMap,vec3(shadowCoord.xy + vogelDiskSample(4,5,phi)*radius,shadowCoord.z))
)*0.2;
}
return mix(1.0,shadow,shadowIntensity);
}
#elif defined( SHADOWMAP_TYPE_VSM )
float getShadow(sampler2D shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord){
float shadow=1.0;
shadowCoord.xyz/=shadowCoord.w;
#ifdef USE_REVERSED_DEPTH_BUFFER
shadowCoord.z -=shadowBias;
#else
shadowCoord.z +=shadowBias;
#endif
bool inFrustum=shadowCoord.x>=0.0&&shadowCoord.x<=1.0&&shadowCoord.y>=0.0&&shadowCoord.y<=1.0;
bool frustumTest=inFrustum&&shadowCoord.z<=1.0;
if(frustumTest){
vec2 distribution=texture2D(shadowMap,shadowCoord.xy).rg;
float mean=distribution.x;
float variance=distribution.y*distribution.y;
#ifdef USE_REVERSED_DEPTH_BUFFER
float hard_shadow=step(mean,shadowCoord.z);
#else
float hard_shadow=step(shadowCoord.z,mean);
#endif
if(hard_shadow==1.0){
shadow=1.0;
}else{
variance=max(variance,0.0000001);
float d=shadowCoord.z - mean;
float p_max=variance/(variance + d*d);
p_max=clamp((p_max - 0.3)/0.65,0.0,1.0);
shadow=max(hard_shadow,p_max);
}
}
return mix(1.0,shadow,shadowIntensity);
}
#else
float getShadow(sampler2D shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord){
float shadow=1.0;
shadowCoord.xyz/=shadowCoord.w;
#ifdef USE_REVERSED_DEPTH_BUFFER
shadowCoord.z -=shadowBias;
#else
shadowCoord.z +=shadowBias;
#endif
bool inFrustum=shadowCoord.x>=0.0&&shadowCoord.x<=1.0&&shadowCoord.y>=0.0&&shadowCoord.y<=1.0;
bool frustumTest=inFrustum&&shadowCoord.z<=1.0;
if(frustumTest){
float depth=texture2D(shadowMap,shadowCoord.xy).r;
#ifdef USE_REVERSED_DEPTH_BUFFER
shadow=step(depth,shadowCoord.z);
#else
shadow=step(shadowCoord.z,depth);
#endif
}
return mix(1.0,shadow,shadowIntensity);
}
#endif
#if NUM_SUN_LIGHT_SHADOWS > 0
float getSunShadow(
#if defined( SHADOWMAP_TYPE_PCF )
sampler2DShadow shadowMap,
#else
sampler2D shadowMap,
#endif
SunLightShadow sunLightShadow,
int shadowIndex
){
vec4 shadowWorldPosition=vec4(vSunShadowWorldPosition.xyz + vSunShadowWorldNormal*sunLightShadow.shadowNormalBias,1.0);
float viewDepth=vSunShadowWorldPosition.w;
int cascadeOffset=shadowIndex*SUN_LIGHT_CASCADES;
float shadow=1.0;
for(int i=SUN_LIGHT_CASCADES - 1;i>=0;i --){
vec4 cascade=sunShadowCascade[cascadeOffset + i];
if(viewDepth>=cascade.x&&viewDepth<cascade.y){
float cascadeShadow=getShadow(
shadowMap,
sunLightShadow.shadowMapSize,
sunLightShadow.shadowIntensity,
sunLightShadow.shadowBias,
sunLightShadow.shadowRadius,
sunShadowMatrix[cascadeOffset + i]*shadowWorldPosition
);
shadow=mix(cascadeShadow,shadow,smoothstep(cascade.z,cascade.y,viewDepth));
}
}
return shadow;
}
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0
#if defined( SHADOWMAP_TYPE_PCF )
float getPointShadow(samplerCubeShadow shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord,float shadowCameraNear,float shadowCameraFar){
float shadow=1.0;
vec3 lightToPosition=shadowCoord.xyz;
vec3 bd3D=normalize(lightToPosition);
vec3 absVec=abs(lightToPosition);
float viewSpaceZ=max(max(absVec.x,absVec.y),absVec.z);
if(viewSpaceZ - shadowCameraFar<=0.0&&viewSpaceZ - shadowCameraNear>=0.0){
float lightDistance=length(lightToPosition);
float depthRange=shadowCameraFar - shadowCameraNear;
#ifdef USE_REVERSED_DEPTH_BUFFER
float depthA=- shadowCameraNear/depthRange - shadowBias;
float depthB=shadowCameraNear*shadowCameraFar/(depthRange*lightDistance);
#else
float depthA=shadowCameraFar/depthRange + shadowBias;
float depthB=- shadowCameraNear*shadowCameraFar/(depthRange*lightDistance);
#endif
float texelSize=shadowRadius/shadowMapSize.x;
vec3 absDir=abs(bd3D);
vec3 tangent=absDir.x>absDir.z?vec3(0.0,1.0,0.0):vec3(1.0,0.0,0.0);
tangent=normalize(cross(bd3D,tangent));
vec3 bitangent=cross(bd3D,tangent);
float phi=interleavedGradientNoise(gl_FragCoord.xy)*PI2;
shadow=0.0;
for(int i=0;i<5;i ++){
vec2 offset=vogelDiskSample(i,5,phi);
vec3 direction=bd3D +(tangent*offset.x + bitangent*offset.y)*texelSize;
vec3 absDirection=abs(direction);
float dp=depthA + depthB/max(max(absDirection.x,absDirection.y),absDirection.z);
shadow +=texture(shadowMap,vec4(direction,dp));
}
shadow*=0.2;
}
return mix(1.0,shadow,shadowIntensity);
}
#elif defined( SHADOWMAP_TYPE_BASIC )
float getPointShadow(samplerCube shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord,float shadowCameraNear,float shadowCameraFar){
float shadow=1.0;
vec3 lightToPosition=shadowCoord.xyz;
vec3 absVec=abs(lightToPosition);
float viewSpaceZ=max(max(absVec.x,absVec.y),absVec.z);
if(viewSpaceZ - shadowCameraFar<=0.0&&viewSpaceZ - shadowCameraNear>=0.0){
float dp=(shadowCameraFar*(viewSpaceZ - shadowCameraNear))/(viewSpaceZ*(shadowCameraFar - shadowCameraNear));
dp +=shadowBias;
vec3 bd3D=normalize(lightToPosition);
float depth=textureCube(shadowMap,bd3D).r;
#ifdef USE_REVERSED_DEPTH_BUFFER
depth=1.0 - depth;
#endif
shadow=step(dp,depth);
}
return mix(1.0,shadow,shadowIntensity);
}
#endif
#endif
#endif`,Xg=`#if NUM_SPOT_LIGHT_COORDS > 0
uniform mat4 spotLightMatrix[NUM_SPOT_LIGHT_COORDS];
varying vec4 vSpotLightCoord[NUM_SPOT_LIGHT_COORDS];
#endif
#ifdef USE_SHADOWMAP
#if NUM_SUN_LIGHT_SHADOWS > 0
varying vec4 vSunShadowWorldPosition;
varying vec3 vSunShadowWorldNormal;
#endif
#if NUM_DIR_LIGHT_SHADOWS > 0
uniform mat4 directionalShadowMatrix[NUM_DIR_LIGHT_SHADOWS];
varying vec4 vDirectionalShadowCoord[NUM_DIR_LIGHT_SHADOWS];
struct DirectionalLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform DirectionalLightShadow directionalLightShadows[NUM_DIR_LIGHT_SHADOWS];
#endif
#if NUM_SPOT_LIGHT_SHADOWS > 0
struct SpotLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform SpotLightShadow spotLightShadows[NUM_SPOT_LIGHT_SHADOWS];
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0
uniform mat4 pointShadowMatrix[NUM_POINT_LIGHT_SHADOWS];
varying vec4 vPointShadowCoord[NUM_POINT_LIGHT_SHADOWS];
struct PointLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
float shadowCameraNear;
float shadowCameraFar;
};
uniform PointLightShadow pointLightShadows[NUM_POINT_LIGHT_SHADOWS];
#endif
#endif`,qg=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
#ifdef HAS_NORMAL
vec3 shadowWorldNormal=transformNormalByInverseViewMatrix(transformedNormal,viewMatrix);
#else
vec3 shadowWorldNormal=vec3(0.0);
#endif
vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
#if NUM_SUN_LIGHT_SHADOWS > 0
vSunShadowWorldPosition=vec4(worldPosition.xyz,- mvPosition.z);
vSunShadowWorldNormal=shadowWorldNormal;
#endif
#if NUM_DIR_LIGHT_SHADOWS > 0
#pragma unroll_loop_start
for(int i=0;i<NUM_DIR_LIGHT_SHADOWS;i ++){
shadowWorldPosition=worldPosition + vec4(shadowWorldNormal*directionalLightShadows[i].shadowNormalBias,0);
vDirectionalShadowCoord[i]=directionalShadowMatrix[i]*shadowWorldPosition;
}
#pragma unroll_loop_end
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0
#pragma unroll_loop_start
for(int i=0;i<NUM_POINT_LIGHT_SHADOWS;i ++){
shadowWorldPosition=worldPosition + vec4(shadowWorldNormal*pointLightShadows[i].shadowNormalBias,0);
vPointShadowCoord[i]=pointShadowMatrix[i]*shadowWorldPosition;
}
#pragma unroll_loop_end
#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
#pragma unroll_loop_start
for(int i=0;i<NUM_SPOT_LIGHT_COORDS;i ++){
shadowWorldPosition=worldPosition;
#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
shadowWorldPosition.xyz +=shadowWorldNormal*spotLightShadows[i].shadowNormalBias;
#endif
vSpotLightCoord[i]=spotLightMatrix[i]*shadowWorldPosition;
}
#pragma unroll_loop_end
#endif`,Yg=`float getShadowMask(){
float shadow=1.0;
#ifdef USE_SHADOWMAP
#if NUM_SUN_LIGHT_SHADOWS > 0
SunLightShadow sunLight;
#pragma unroll_loop_start
for(int i=0;i<NUM_SUN_LIGHT_SHADOWS;i ++){
sunLight=sunLightShadows[i];
shadow*=receiveShadow?getSunShadow(sunShadowMap[i],sunLight,UNROLLED_LOOP_INDEX):1.0;
}
#pragma unroll_loop_end
#endif
#if NUM_DIR_LIGHT_SHADOWS > 0
DirectionalLightShadow directionalLight;
#pragma unroll_loop_start
for(int i=0;i<NUM_DIR_LIGHT_SHADOWS;i ++){
directionalLight=directionalLightShadows[i];
shadow*=receiveShadow?getShadow(directionalShadowMap[i],directionalLight.shadowMapSize,directionalLight.shadowIntensity,directionalLight.shadowBias,directionalLight.shadowRadius,vDirectionalShadowCoord[i]):1.0;
}
#pragma unroll_loop_end
#endif
#if NUM_SPOT_LIGHT_SHADOWS > 0
SpotLightShadow spotLight;
#pragma unroll_loop_start
for(int i=0;i<NUM_SPOT_LIGHT_SHADOWS;i ++){
spotLight=spotLightShadows[i];
shadow*=receiveShadow?getShadow(spotShadowMap[i],spotLight.shadowMapSize,spotLight.shadowIntensity,spotLight.shadowBias,spotLight.shadowRadius,vSpotLightCoord[i]):1.0;
}
#pragma unroll_loop_end
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
PointLightShadow pointLight;
#pragma unroll_loop_start
for(int i=0;i<NUM_POINT_LIGHT_SHADOWS;i ++){
pointLight=pointLightShadows[i];
shadow*=receiveShadow?getPointShadow(pointShadowMap[i],pointLight.shadowMapSize,pointLight.shadowIntensity,pointLight.shadowBias,pointLight.shadowRadius,vPointShadowCoord[i],pointLight.shadowCameraNear,pointLight.shadowCameraFar):1.0;
}
#pragma unroll_loop_end
#endif
#endif
return shadow;
}`,$g=`#ifdef USE_SKINNING
mat4 boneMatX=getBoneMatrix(skinIndex.x);
mat4 boneMatY=getBoneMatrix(skinIndex.y);
mat4 boneMatZ=getBoneMatrix(skinIndex.z);
mat4 boneMatW=getBoneMatrix(skinIndex.w);
#endif`,Zg=`#ifdef USE_SKINNING
uniform mat4 bindMatrix;
uniform mat4 bindMatrixInverse;
uniform highp sampler2D boneTexture;
mat4 getBoneMatrix(const in float i){
int size=textureSize(boneTexture,0).x;
int j=int(i)*4;
int x=j % size;
int y=j/size;
vec4 v1=texelFetch(boneTexture,ivec2(x,y),0);
vec4 v2=texelFetch(boneTexture,ivec2(x + 1,y),0);
vec4 v3=texelFetch(boneTexture,ivec2(x + 2,y),0);
vec4 v4=texelFetch(boneTexture,ivec2(x + 3,y),0);
return mat4(v1,v2,v3,v4);
}
#endif`,Jg=`#ifdef USE_SKINNING
vec4 skinVertex=bindMatrix*vec4(transformed,1.0);
vec4 skinned=vec4(0.0);
skinned +=boneMatX*skinVertex*skinWeight.x;
skinned +=boneMatY*skinVertex*skinWeight.y;
skinned +=boneMatZ*skinVertex*skinWeight.z;
skinned +=boneMatW*skinVertex*skinWeight.w;
transformed=(bindMatrixInverse*skinned).xyz;
#endif`,Kg=`#ifdef USE_SKINNING
mat4 skinMatrix=mat4(0.0);
skinMatrix +=skinWeight.x*boneMatX;
skinMatrix +=skinWeight.y*boneMatY;
skinMatrix +=skinWeight.z*boneMatZ;
skinMatrix +=skinWeight.w*boneMatW;
skinMatrix=bindMatrixInverse*skinMatrix*bindMatrix;
objectNormal=vec4(skinMatrix*vec4(objectNormal,0.0)).xyz;
#ifdef USE_TANGENT
objectTangent=vec4(skinMatrix*vec4(objectTangent,0.0)).xyz;
#endif
#endif`,jg=`float specularStrength;
#ifdef USE_SPECULARMAP
vec4 texelSpecular=texture2D(specularMap,vSpecularMapUv);
specularStrength=texelSpecular.r;
#else
specularStrength=1.0;
#endif`,Qg=`#ifdef USE_SPECULARMAP
uniform sampler2D specularMap;
#endif`,e0=`#if defined( TONE_MAPPING )
gl_FragColor.rgb=toneMapping(gl_FragColor.rgb);
#endif`,t0=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping(vec3 color){
return saturate(toneMappingExposure*color);
}
vec3 ReinhardToneMapping(vec3 color){
color*=toneMappingExposure;
return saturate(color/(vec3(1.0)+ color));
}
vec3 CineonToneMapping(vec3 color){
color*=toneMappingExposure;
color=max(vec3(0.0),color - 0.004);
return pow((color*(6.2*color + 0.5))/(color*(6.2*color + 1.7)+ 0.06),vec3(2.2));
}
vec3 RRTAndODTFit(vec3 v){
vec3 a=v*(v + 0.0245786)- 0.000090537;
vec3 b=v*(0.983729*v + 0.4329510)+ 0.238081;
return a/b;
}
vec3 ACESFilmicToneMapping(vec3 color){
const mat3 ACESInputMat=mat3(
vec3(0.59719,0.07600,0.02840),vec3(0.35458,0.90834,0.13383),
vec3(0.04823,0.01566,0.83777)
);
const mat3 ACESOutputMat=mat3(
vec3(1.60475,-0.10208,-0.00327),vec3(-0.53108,1.10813,-0.07276),
vec3(-0.07367,-0.00605,1.07602)
);
color*=toneMappingExposure/0.6;
color=ACESInputMat*color;
color=RRTAndODTFit(color);
color=ACESOutputMat*color;
return saturate(color);
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB=mat3(
vec3(1.6605,- 0.1246,- 0.0182),
vec3(- 0.5876,1.1329,- 0.1006),
vec3(- 0.0728,- 0.0083,1.1187)
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020=mat3(
vec3(0.6274,0.0691,0.0164),
vec3(0.3293,0.9195,0.0880),
vec3(0.0433,0.0113,0.8956)
);
vec3 agxDefaultContrastApprox(vec3 x){
vec3 x2=x*x;
vec3 x4=x2*x2;
return + 15.5*x4*x2
- 40.14*x4*x
+ 31.96*x4
- 6.868*x2*x
+ 0.4298*x2
+ 0.1191*x
- 0.00232;
}
vec3 AgXToneMapping(vec3 color){
const mat3 AgXInsetMatrix=mat3(
vec3(0.856627153315983,0.137318972929847,0.11189821299995),
vec3(0.0951212405381588,0.761241990602591,0.0767994186031903),
vec3(0.0482516061458583,0.101439036467562,0.811302368396859)
);
const mat3 AgXOutsetMatrix=mat3(
vec3(1.1271005818144368,- 0.1413297634984383,- 0.14132976349843826),
vec3(- 0.11060664309660323,1.157823702216272,- 0.11060664309660294),
vec3(- 0.016493938717834573,- 0.016493938717834257,1.2519364065950405)
);
const float AgxMinEv=- 12.47393;const float AgxMaxEv=4.026069;
color*=toneMappingExposure;
color=LINEAR_SRGB_TO_LINEAR_REC2020*color;
color=AgXInsetMatrix*color;
color=max(color,1e-10);color=log2(color);
color=(color - AgxMinEv)/(AgxMaxEv - AgxMinEv);
color=clamp(color,0.0,1.0);
color=agxDefaultContrastApprox(color);
color=AgXOutsetMatrix*color;
color=pow(max(vec3(0.0),color),vec3(2.2));
color=LINEAR_REC2020_TO_LINEAR_SRGB*color;
color=clamp(color,0.0,1.0);
return color;
}
vec3 NeutralToneMapping(vec3 color){
const float StartCompression=0.8 - 0.04;
const float Desaturation=0.15;
color*=toneMappingExposure;
float x=min(color.r,min(color.g,color.b));
float offset=x<0.08?x - 6.25*x*x:0.04;
color -=offset;
float peak=max(color.r,max(color.g,color.b));
if(peak<StartCompression)return color;
float d=1. - StartCompression;
float newPeak=1. - d*d/(peak + d - StartCompression);
color*=newPeak/peak;
float g=1. - 1./(Desaturation*(peak - newPeak)+ 1.);
return mix(color,vec3(newPeak),g);
}
vec3 CustomToneMapping(vec3 color){return color;}`,i0="",n0="",s0=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
varying vec2 vUv;
#endif
#ifdef USE_MAP
varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
uniform mat3 transmissionMapTransform;
varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
uniform mat3 thicknessMapTransform;
varying vec2 vThicknessMapUv;
#endif`,r0=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
varying vec2 vUv;
#endif
#ifdef USE_MAP
uniform mat3 mapTransform;
varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
uniform mat3 alphaMapTransform;
varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
uniform mat3 lightMapTransform;
varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
uniform mat3 aoMapTransform;
varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
uniform mat3 bumpMapTransform;
varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
uniform mat3 normalMapTransform;
varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
uniform mat3 displacementMapTransform;
varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
uniform mat3 emissiveMapTransform;
varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
uniform mat3 metalnessMapTransform;
varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
uniform mat3 roughnessMapTransform;
varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
uniform mat3 diffuseRoughnessMapTransform;
varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
uniform mat3 anisotropyMapTransform;
varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
uniform mat3 clearcoatMapTransform;
varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
uniform mat3 clearcoatNormalMapTransform;
varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
uniform mat3 clearcoatRoughnessMapTransform;
varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
uniform mat3 sheenColorMapTransform;
varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
uniform mat3 sheenRoughnessMapTransform;
varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
uniform mat3 iridescenceMapTransform;
varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
uniform mat3 iridescenceThicknessMapTransform;
varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
uniform mat3 specularMapTransform;
varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
uniform mat3 specularColorMapTransform;
varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
uniform mat3 specularIntensityMapTransform;
varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
uniform mat3 transmissionMapTransform;
varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
uniform mat3 thicknessMapTransform;
varying vec2 vThicknessMapUv;
#endif`,o0=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
vUv=vec3(uv,1).xy;
#endif
#ifdef USE_MAP
vMapUv=(mapTransform*vec3(MAP_UV,1)).xy;
#endif
#ifdef USE_ALPHAMAP
vAlphaMapUv=(alphaMapTransform*vec3(ALPHAMAP_UV,1)).xy;
#endif
#ifdef USE_LIGHTMAP
vLightMapUv=(lightMapTransform*vec3(LIGHTMAP_UV,1)).xy;
#endif
#ifdef USE_AOMAP
vAoMapUv=(aoMapTransform*vec3(AOMAP_UV,1)).xy;
#endif
#ifdef USE_BUMPMAP
vBumpMapUv=(bumpMapTransform*vec3(BUMPMAP_UV,1)).xy;
#endif
#ifdef USE_NORMALMAP
vNormalMapUv=(normalMapTransform*vec3(NORMALMAP_UV,1)).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
vDisplacementMapUv=(displacementMapTransform*vec3(DISPLACEMENTMAP_UV,1)).xy;
#endif
#ifdef USE_EMISSIVEMAP
vEmissiveMapUv=(emissiveMapTransform*vec3(EMISSIVEMAP_UV,1)).xy;
#endif
#ifdef USE_METALNESSMAP
vMetalnessMapUv=(metalnessMapTransform*vec3(METALNESSMAP_UV,1)).xy;
#endif
#ifdef USE_ROUGHNESSMAP
vRoughnessMapUv=(roughnessMapTransform*vec3(ROUGHNESSMAP_UV,1)).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
vDiffuseRoughnessMapUv=(diffuseRoughnessMapTransform*vec3(DIFFUSE_ROUGHNESSMAP_UV,1)).xy;
#endif
#ifdef USE_ANISOTROPYMAP
vAnisotropyMapUv=(anisotropyMapTransform*vec3(ANISOTROPYMAP_UV,1)).xy;
#endif
#ifdef USE_CLEARCOATMAP
vClearcoatMapUv=(clearcoatMapTransform*vec3(CLEARCOATMAP_UV,1)).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
vClearcoatNormalMapUv=(clearcoatNormalMapTransform*vec3(CLEARCOAT_NORMALMAP_UV,1)).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
vClearcoatRoughnessMapUv=(clearcoatRoughnessMapTransform*vec3(CLEARCOAT_ROUGHNESSMAP_UV,1)).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
vIridescenceMapUv=(iridescenceMapTransform*vec3(IRIDESCENCEMAP_UV,1)).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
vIridescenceThicknessMapUv=(iridescenceThicknessMapTransform*vec3(IRIDESCENCE_THICKNESSMAP_UV,1)).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
vSheenColorMapUv=(sheenColorMapTransform*vec3(SHEEN_COLORMAP_UV,1)).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
vSheenRoughnessMapUv=(sheenRoughnessMapTransform*vec3(SHEEN_ROUGHNESSMAP_UV,1)).xy;
#endif
#ifdef USE_SPECULARMAP
vSpecularMapUv=(specularMapTransform*vec3(SPECULARMAP_UV,1)).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
vSpecularColorMapUv=(specularColorMapTransform*vec3(SPECULAR_COLORMAP_UV,1)).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
vSpecularIntensityMapUv=(specularIntensityMapTransform*vec3(SPECULAR_INTENSITYMAP_UV,1)).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
vTransmissionMapUv=(transmissionMapTransform*vec3(TRANSMISSIONMAP_UV,1)).xy;
#endif
#ifdef USE_THICKNESSMAP
vThicknessMapUv=(thicknessMapTransform*vec3(THICKNESSMAP_UV,1)).xy;
#endif`,a0=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
vec4 worldPosition=vec4(transformed,1.0);
#ifdef USE_BATCHING
worldPosition=batchingMatrix*worldPosition;
#endif
#ifdef USE_INSTANCING
worldPosition=instanceMatrix*worldPosition;
#endif
worldPosition=modelMatrix*worldPosition;
#endif`,l0=`varying vec2 vUv;
uniform mat3 uvTransform;
void main(){
vUv=(uvTransform*vec3(uv,1)).xy;
gl_Position=vec4(position.xy,1.0,1.0);
}`,h0=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main(){
vec4 texColor=texture2D(t2D,vUv);
#ifdef DECODE_VIDEO_TEXTURE
texColor=vec4(mix(pow(texColor.rgb*0.9478672986 + vec3(0.0521327014),vec3(2.4)),texColor.rgb*0.0773993808,vec3(lessThanEqual(texColor.rgb,vec3(0.04045)))),texColor.w);
#endif
texColor.rgb*=backgroundIntensity;
gl_FragColor=texColor;
#include <tonemapping_fragment>
#include <colorspace_fragment>
}`,c0="",u0="",d0="",f0="",p0=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main(){
#include <uv_vertex>
#include <batching_vertex>
#include <skinbase_vertex>
#include <morphinstance_vertex>
#ifdef USE_DISPLACEMENTMAP
#include <beginnormal_vertex>
#include <morphnormal_vertex>
#include <skinnormal_vertex>
#endif
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <displacementmap_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
vHighPrecisionZW=gl_Position.zw;
}`,m0=`#if DEPTH_PACKING == 3200
uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main(){
vec4 diffuseColor=vec4(1.0);
#include <clipping_planes_fragment>
#if DEPTH_PACKING == 3200
diffuseColor.a=opacity;
#endif
#include <map_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
#include <logdepthbuf_fragment>
#ifdef USE_REVERSED_DEPTH_BUFFER
float fragCoordZ=vHighPrecisionZW[0]/vHighPrecisionZW[1];
#else
float fragCoordZ=0.5*vHighPrecisionZW[0]/vHighPrecisionZW[1]+ 0.5;
#endif
#if DEPTH_PACKING == 3200
gl_FragColor=vec4(vec3(1.0 - fragCoordZ),opacity);
#elif DEPTH_PACKING == 3201
gl_FragColor=packDepthToRGBA(fragCoordZ);
#elif DEPTH_PACKING == 3202
gl_FragColor=vec4(packDepthToRGB(fragCoordZ),1.0);
#elif DEPTH_PACKING == 3203
gl_FragColor=vec4(packDepthToRG(fragCoordZ),0.0,1.0);
#endif
}`,g0="",x0="",y0="",_0="",b0="",M0="",S0="",v0="",w0="",A0="",T0="",E0="",C0="",R0="",P0="",I0="",L0="",D0="",N0="",U0="",O0="",F0="",B0=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main(){
#include <batching_vertex>
#include <beginnormal_vertex>
#include <morphinstance_vertex>
#include <morphnormal_vertex>
#include <skinbase_vertex>
#include <skinnormal_vertex>
#include <defaultnormal_vertex>
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <worldpos_vertex>
#include <shadowmap_vertex>
#include <fog_vertex>
}`,z0=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main(){
#include <logdepthbuf_fragment>
gl_FragColor=vec4(color,opacity*(1.0 - getShadowMask()));
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
#include <premultiplied_alpha_fragment>
}`,k0="",G0="",He={alphahash_fragment:hm,alphahash_pars_fragment:cm,alphamap_fragment:um,alphamap_pars_fragment:dm,alphatest_fragment:fm,alphatest_pars_fragment:pm,aomap_fragment:mm,aomap_pars_fragment:gm,batching_pars_vertex:xm,batching_vertex:ym,begin_vertex:_m,beginnormal_vertex:bm,bsdfs:Mm,iridescence_fragment:Sm,bumpmap_pars_fragment:vm,clipping_planes_fragment:wm,clipping_planes_pars_fragment:Am,clipping_planes_pars_vertex:Tm,clipping_planes_vertex:Em,color_fragment:Cm,color_pars_fragment:Rm,color_pars_vertex:Pm,color_vertex:Im,common:Lm,defaultnormal_vertex:Dm,displacementmap_pars_vertex:Nm,displacementmap_vertex:Um,emissivemap_fragment:Om,emissivemap_pars_fragment:Fm,colorspace_fragment:Bm,colorspace_pars_fragment:zm,envmap_fragment:km,envmap_common_pars_fragment:Gm,envmap_pars_fragment:Hm,envmap_pars_vertex:Vm,envmap_physical_pars_fragment:eg,envmap_vertex:Wm,fog_vertex:Xm,fog_pars_vertex:qm,fog_fragment:Ym,fog_pars_fragment:$m,gradientmap_pars_fragment:Zm,lightmap_pars_fragment:Jm,lights_lambert_fragment:Km,lights_lambert_pars_fragment:jm,lights_pars_begin:Qm,lights_toon_fragment:tg,lights_toon_pars_fragment:ig,lights_phong_fragment:ng,lights_phong_pars_fragment:sg,lights_physical_fragment:rg,lights_physical_pars_fragment:og,lights_fragment_begin:ag,lights_fragment_maps:lg,lights_fragment_end:hg,lightprobes_pars_fragment:cg,logdepthbuf_fragment:ug,logdepthbuf_pars_fragment:dg,logdepthbuf_pars_vertex:fg,logdepthbuf_vertex:pg,map_fragment:mg,map_pars_fragment:gg,map_particle_fragment:xg,map_particle_pars_fragment:yg,metalnessmap_fragment:_g,metalnessmap_pars_fragment:bg,morphinstance_vertex:Mg,morphcolor_vertex:Sg,morphnormal_vertex:vg,morphtarget_pars_vertex:wg,morphtarget_vertex:Ag,normal_fragment_begin:Tg,normal_fragment_maps:Eg,normal_pars_fragment:Cg,normal_pars_vertex:Rg,normal_vertex:Pg,normalmap_pars_fragment:Ig,clearcoat_normal_fragment_begin:Lg,clearcoat_normal_fragment_maps:Dg,clearcoat_pars_fragment:Ng,iridescence_pars_fragment:Ug,opaque_fragment:Og,packing:Fg,premultiplied_alpha_fragment:Bg,project_vertex:zg,dithering_fragment:kg,dithering_pars_fragment:Gg,roughnessmap_fragment:Hg,roughnessmap_pars_fragment:Vg,shadowmap_pars_fragment:Wg,shadowmap_pars_vertex:Xg,shadowmap_vertex:qg,shadowmask_pars_fragment:Yg,skinbase_vertex:$g,skinning_pars_vertex:Zg,skinning_vertex:Jg,skinnormal_vertex:Kg,specularmap_fragment:jg,specularmap_pars_fragment:Qg,tonemapping_fragment:e0,tonemapping_pars_fragment:t0,transmission_fragment:i0,transmission_pars_fragment:n0,uv_pars_fragment:s0,uv_pars_vertex:r0,uv_vertex:o0,worldpos_vertex:a0,background_vert:l0,background_frag:h0,backgroundCube_vert:c0,backgroundCube_frag:u0,cube_vert:d0,cube_frag:f0,depth_vert:p0,depth_frag:m0,distance_vert:g0,distance_frag:x0,equirect_vert:y0,equirect_frag:_0,linedashed_vert:b0,linedashed_frag:M0,meshbasic_vert:S0,meshbasic_frag:v0,meshlambert_vert:w0,meshlambert_frag:A0,meshmatcap_vert:T0,meshmatcap_frag:E0,meshnormal_vert:C0,meshnormal_frag:R0,meshphong_vert:P0,meshphong_frag:I0,meshphysical_vert:L0,meshphysical_frag:D0,meshtoon_vert:N0,meshtoon_frag:U0,points_vert:O0,points_frag:F0,shadow_vert:B0,shadow_frag:z0,sprite_vert:k0,sprite_frag:G0},de={common:{diffuse:{value:new Pe(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new Ne},alphaMap:{value:null},alphaMapTransform:{value:new Ne},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new Ne}},envmap:{envMap:{value:null},envMapRotation:{value:new Ne},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new Ne}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new Ne}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new Ne},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new Ne},normalScale:{value:new Te(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new Ne},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new Ne}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new Ne}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new Ne}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Pe(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new Pe(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new Ne},alphaTest:{value:0},uvTransform:{value:new Ne}},sprite:{diffuse:{value:new Pe(16777215)},opacity:{value:1},center:{value:new Te(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new Ne},alphaMap:{value:null},alphaMapTransform:{value:new Ne},alphaTest:{value:0}}},Yt={basic:{uniforms:zt([de.common,de.specularmap,de.envmap,de.aomap,de.lightmap,de.fog]),vertexShader:He.meshbasic_vert,fragmentShader:He.meshbasic_frag},lambert:{uniforms:zt([de.common,de.specularmap,de.envmap,de.aomap,de.lightmap,de.emissivemap,de.bumpmap,de.normalmap,de.displacementmap,de.fog,de.lights,{emissive:{value:new Pe(0)},envMapIntensity:{value:1}}]),vertexShader:He.meshlambert_vert,fragmentShader:He.meshlambert_frag},phong:{uniforms:zt([de.common,de.specularmap,de.envmap,de.aomap,de.lightmap,de.emissivemap,de.bumpmap,de.normalmap,de.displacementmap,de.fog,de.lights,{emissive:{value:new Pe(0)},specular:{value:new Pe(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:He.meshphong_vert,fragmentShader:He.meshphong_frag},standard:{uniforms:zt([de.common,de.envmap,de.aomap,de.lightmap,de.emissivemap,de.bumpmap,de.normalmap,de.displacementmap,de.roughnessmap,de.metalnessmap,de.fog,de.lights,{emissive:{value:new Pe(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:He.meshphysical_vert,fragmentShader:He.meshphysical_frag},toon:{uniforms:zt([de.common,de.aomap,de.lightmap,de.emissivemap,de.bumpmap,de.normalmap,de.displacementmap,de.gradientmap,de.fog,de.lights,{emissive:{value:new Pe(0)}}]),vertexShader:He.meshtoon_vert,fragmentShader:He.meshtoon_frag},matcap:{uniforms:zt([de.common,de.bumpmap,de.normalmap,de.displacementmap,de.fog,{matcap:{value:null}}]),vertexShader:He.meshmatcap_vert,fragmentShader:He.meshmatcap_frag},points:{uniforms:zt([de.points,de.fog]),vertexShader:He.points_vert,fragmentShader:He.points_frag},dashed:{uniforms:zt([de.common,de.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:He.linedashed_vert,fragmentShader:He.linedashed_frag},depth:{uniforms:zt([de.common,de.displacementmap]),vertexShader:He.depth_vert,fragmentShader:He.depth_frag},normal:{uniforms:zt([de.common,de.bumpmap,de.normalmap,de.displacementmap,{opacity:{value:1}}]),vertexShader:He.meshnormal_vert,fragmentShader:He.meshnormal_frag},sprite:{uniforms:zt([de.sprite,de.fog]),vertexShader:He.sprite_vert,fragmentShader:He.sprite_frag},background:{uniforms:{uvTransform:{value:new Ne},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:He.background_vert,fragmentShader:He.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new Ne}},vertexShader:He.backgroundCube_vert,fragmentShader:He.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:He.cube_vert,fragmentShader:He.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:He.equirect_vert,fragmentShader:He.equirect_frag},distance:{uniforms:zt([de.common,de.displacementmap,{referencePosition:{value:new R},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:He.distance_vert,fragmentShader:He.distance_frag},shadow:{uniforms:zt([de.lights,de.fog,{color:{value:new Pe(0)},opacity:{value:1}}]),vertexShader:He.shadow_vert,fragmentShader:He.shadow_frag}};Yt.physical={uniforms:zt([Yt.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new Ne},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new Ne},clearcoatNormalScale:{value:new Te(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new Ne},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new Ne},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new Ne},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new Ne},sheen:{value:0},sheenColor:{value:new Pe(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new Ne},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new Ne},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new Ne},transmissionSamplerSize:{value:new Te},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new Ne},attenuationDistance:{value:0},attenuationColor:{value:new Pe(0)},specularColor:{value:new Pe(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new Ne},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new Ne},anisotropyVector:{value:new Te},anisotropyMap:{value:null},anisotropyMapTransform:{value:new Ne}}]),vertexShader:He.meshphysical_vert,fragmentShader:He.meshphysical_frag};var wa={r:0,b:0,g:0},H0=new Ke,Md=new Ne;Md.set(-1,0,0,0,1,0,0,0,1);function V0(n,e,t,i,s,r){let o=new Pe(0),a=s===!0?0:1,h,l,c=null,u=0,d=null;function f(M){let T=M.isScene===!0?M.background:null;if(T&&T.isTexture){let v=M.backgroundBlurriness>0;T=e.get(T,v)}return T}function p(M){let T=!1,v=f(M);v===null?m(o,a):v&&v.isColor&&(m(v,1),T=!0);let E=n.xr.getEnvironmentBlendMode();E==="additive"?t.buffers.color.setClear(0,0,0,1,r):E==="alpha-blend"&&t.buffers.color.setClear(0,0,0,0,r),(n.autoClear||T)&&(t.buffers.depth.setTest(!0),t.buffers.depth.setMask(!0),t.buffers.color.setMask(!0),n.clear(n.autoClearColor,n.autoClearDepth,n.autoClearStencil))}function _(M,T){let v=f(T);v&&v.isCubeTexture?(l===void 0&&(l=new Tt(new hs(1,1,1),new Bt({name:"BackgroundCubeMaterial",uniforms:Dn(Yt.backgroundCube.uniforms),vertexShader:Yt.backgroundCube.vertexShader,fragmentShader:Yt.backgroundCube.fragmentShader,side:qt,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),l.geometry.deleteAttribute("uv"),l.onBeforeRender=function(E,A,x){this.matrixWorld.copyPosition(x.matrixWorld)},Object.defineProperty(l.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),i.update(l)),l.material.uniforms.envMap.value=v,l.material.uniforms.backgroundBlurriness.value=T.backgroundBlurriness,l.material.uniforms.backgroundIntensity.value=T.backgroundIntensity,l.material.uniforms.backgroundRotation.value.setFromMatrix4(H0.makeRotationFromEuler(T.backgroundRotation)).transpose(),v.isRenderTargetTexture===!1&&l.material.uniforms.backgroundRotation.value.premultiply(Md),l.material.toneMapped=qe.getTransfer(v.colorSpace)!==Je,(c!==v||u!==v.version||d!==n.toneMapping)&&(l.material.needsUpdate=!0,c=v,u=v.version,d=n.toneMapping),l.layers.enableAll(),M.unshift(l,l.geometry,l.material,0,0,null)):v&&v.isTexture&&(h===void 0&&(h=new Tt(new Cn(2,2),new Bt({name:"BackgroundMaterial",uniforms:Dn(Yt.background.uniforms),vertexShader:Yt.background.vertexShader,fragmentShader:Yt.background.fragmentShader,side:dn,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),h.geometry.deleteAttribute("normal"),Object.defineProperty(h.material,"map",{get:function(){return this.uniforms.t2D.value}}),i.update(h)),h.material.uniforms.t2D.value=v,h.material.uniforms.backgroundIntensity.value=T.backgroundIntensity,h.material.toneMapped=qe.getTransfer(v.colorSpace)!==Je,v.matrixAutoUpdate===!0&&v.updateMatrix(),h.material.uniforms.uvTransform.value.copy(v.matrix),(c!==v||u!==v.version||d!==n.toneMapping)&&(h.material.needsUpdate=!0,c=v,u=v.version,d=n.toneMapping),h.layers.enableAll(),M.unshift(h,h.geometry,h.material,0,0,null))}function m(M,T){M.getRGB(wa,Ah(n)),t.buffers.color.setClear(wa.r,wa.g,wa.b,T,r)}function g(){l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0),h!==void 0&&(h.geometry.dispose(),h.material.dispose(),h=void 0)}return{getClearColor:function(){return o},setClearColor:function(M,T=1){o.set(M),a=T,m(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(M){a=M,m(o,a)},render:p,addToRenderList:_,dispose:g}}function W0(n,e){let t=n.getParameter(n.MAX_VERTEX_ATTRIBS),i={},s=d(null),r=s,o=!1;function a(N,F,G,P,V){let Y=!1,H=u(N,P,G,F);r!==H&&(r=H,l(r.object)),Y=f(N,P,G,V),Y&&p(N,P,G,V),V!==null&&e.update(V,n.ELEMENT_ARRAY_BUFFER),(Y||o)&&(o=!1,v(N,F,G,P),V!==null&&n.bindBuffer(n.ELEMENT_ARRAY_BUFFER,e.get(V).buffer))}function h(){return n.createVertexArray()}function l(N){return n.bindVertexArray(N)}function c(N){return n.deleteVertexArray(N)}function u(N,F,G,P){let V=P.wireframe===!0,Y=i[F.id];Y===void 0&&(Y={},i[F.id]=Y);let H=N.isInstancedMesh===!0?N.id:0,ie=Y[H];ie===void 0&&(ie={},Y[H]=ie);let q=ie[G.id];q===void 0&&(q={},ie[G.id]=q);let Q=q[V];return Q===void 0&&(Q=d(h()),q[V]=Q),Q}function d(N){let F=[],G=[],P=[];for(let V=0;V<t;V++)F[V]=0,G[V]=0,P[V]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:F,enabledAttributes:G,attributeDivisors:P,object:N,attributes:{},index:null}}function f(N,F,G,P){let V=r.attributes,Y=F.attributes,H=0,ie=G.getAttributes();for(let q in ie)if(ie[q].location>=0){let ee=V[q],Se=Y[q];if(Se===void 0&&(q==="instanceMatrix"&&N.instanceMatrix&&(Se=N.instanceMatrix),q==="instanceColor"&&N.instanceColor&&(Se=N.instanceColor)),ee===void 0||ee.attribute!==Se||Se&&ee.data!==Se.data)return!0;H++}return r.attributesNum!==H||r.index!==P}function p(N,F,G,P){let V={},Y=F.attributes,H=0,ie=G.getAttributes();for(let q in ie)if(ie[q].location>=0){let ee=Y[q];ee===void 0&&(q==="instanceMatrix"&&N.instanceMatrix&&(ee=N.instanceMatrix),q==="instanceColor"&&N.instanceColor&&(ee=N.instanceColor));let Se={};Se.attribute=ee,ee&&ee.data&&(Se.data=ee.data),V[q]=Se,H++}r.attributes=V,r.attributesNum=H,r.index=P}function _(){let N=r.newAttributes;for(let F=0,G=N.length;F<G;F++)N[F]=0}function m(N){g(N,0)}function g(N,F){let G=r.newAttributes,P=r.enabledAttributes,V=r.attributeDivisors;G[N]=1,P[N]===0&&(n.enableVertexAttribArray(N),P[N]=1),V[N]!==F&&(n.vertexAttribDivisor(N,F),V[N]=F)}function M(){let N=r.newAttributes,F=r.enabledAttributes;for(let G=0,P=F.length;G<P;G++)F[G]!==N[G]&&(n.disableVertexAttribArray(G),F[G]=0)}function T(N,F,G,P,V,Y,H){H===!0?n.vertexAttribIPointer(N,F,G,V,Y):n.vertexAttribPointer(N,F,G,P,V,Y)}function v(N,F,G,P){_();let V=P.attributes,Y=G.getAttributes(),H=F.defaultAttributeValues;for(let ie in Y){let q=Y[ie];if(q.location>=0){let Q=V[ie];if(Q===void 0&&(ie==="instanceMatrix"&&N.instanceMatrix&&(Q=N.instanceMatrix),ie==="instanceColor"&&N.instanceColor&&(Q=N.instanceColor)),Q!==void 0){let ee=Q.normalized,Se=Q.itemSize,Oe=e.get(Q);if(Oe===void 0)continue;let J=Oe.buffer,me=Oe.type,_e=Oe.bytesPerElement,Ee=me===n.INT||me===n.UNSIGNED_INT||Q.gpuType===ko;if(Q.isInterleavedBufferAttribute){let ge=Q.data,ze=ge.isInterleavedBuffer===!0?ge.stride:ge.itemSize,dt=Q.offset;if(ge.isInstancedInterleavedBuffer||ge.isInstancedBufferAttribute){for(let Ie=0;Ie<q.locationSize;Ie++)g(q.location+Ie,ge.meshPerAttribute);N.isInstancedMesh!==!0&&P._maxInstanceCount===void 0&&(P._maxInstanceCount=ge.meshPerAttribute*ge.count)}else for(let Ie=0;Ie<q.locationSize;Ie++)m(q.location+Ie);n.bindBuffer(n.ARRAY_BUFFER,J);for(let Ie=0;Ie<q.locationSize;Ie++)T(q.location+Ie,Se/q.locationSize,me,ee,ze*_e,(dt+Se/q.locationSize*Ie)*_e,Ee)}else{if(Q.isInstancedBufferAttribute){for(let ge=0;ge<q.locationSize;ge++)g(q.location+ge,Q.meshPerAttribute);N.isInstancedMesh!==!0&&P._maxInstanceCount===void 0&&(P._maxInstanceCount=Q.meshPerAttribute*Q.count)}else for(let ge=0;ge<q.locationSize;ge++)m(q.location+ge);n.bindBuffer(n.ARRAY_BUFFER,J);for(let ge=0;ge<q.locationSize;ge++)T(q.location+ge,Se/q.locationSize,me,ee,Se*_e,Se/q.locationSize*ge*_e,Ee)}}else if(H!==void 0){let ee=H[ie];if(ee!==void 0)switch(ee.length){case 2:n.vertexAttrib2fv(q.location,ee);break;case 3:n.vertexAttrib3fv(q.location,ee);break;case 4:n.vertexAttrib4fv(q.location,ee);break;default:n.vertexAttrib1fv(q.location,ee)}}}}M()}function E(){U();for(let N in i){let F=i[N];for(let G in F){let P=F[G];for(let V in P){let Y=P[V];for(let H in Y)c(Y[H].object),delete Y[H];delete P[V]}}delete i[N]}}function A(N){if(i[N.id]===void 0)return;let F=i[N.id];for(let G in F){let P=F[G];for(let V in P){let Y=P[V];for(let H in Y)c(Y[H].object),delete Y[H];delete P[V]}}delete i[N.id]}function x(N){for(let F in i){let G=i[F];for(let P in G){let V=G[P];if(V[N.id]===void 0)continue;let Y=V[N.id];for(let H in Y)c(Y[H].object),delete Y[H];delete V[N.id]}}}function S(N){for(let F in i){let G=i[F],P=N.isInstancedMesh===!0?N.id:0,V=G[P];if(V!==void 0){for(let Y in V){let H=V[Y];for(let ie in H)c(H[ie].object),delete H[ie];delete V[Y]}delete G[P],Object.keys(G).length===0&&delete i[F]}}}function U(){I(),o=!0,r!==s&&(r=s,l(r.object))}function I(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:U,resetDefaultState:I,dispose:E,releaseStatesOfGeometry:A,releaseStatesOfObject:S,releaseStatesOfProgram:x,initAttributes:_,enableAttribute:m,disableUnusedAttributes:M}}function X0(n,e,t){let i;function s(h){i=h}function r(h,l){n.drawArrays(i,h,l),t.update(l,i,1)}function o(h,l,c){c!==0&&(n.drawArraysInstanced(i,h,l,c),t.update(l,i,c))}function a(h,l,c){if(c===0)return;e.get("WEBGL_multi_draw").multiDrawArraysWEBGL(i,h,0,l,0,c);let d=0;for(let f=0;f<c;f++)d+=l[f];t.update(d,i,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function q0(n,e,t,i){let s;function r(){if(s!==void 0)return s;if(e.has("EXT_texture_filter_anisotropic")===!0){let x=e.get("EXT_texture_filter_anisotropic");s=n.getParameter(x.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(x){return!(x!==Ai&&i.convert(x)!==n.getParameter(n.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(x){let S=x===wi&&(e.has("EXT_color_buffer_half_float")||e.has("EXT_color_buffer_float"));return!(x!==oi&&x!==pi&&!S&&i.convert(x)!==n.getParameter(n.IMPLEMENTATION_COLOR_READ_TYPE))}function h(x){if(x==="highp"){if(n.getShaderPrecisionFormat(n.VERTEX_SHADER,n.HIGH_FLOAT).precision>0&&n.getShaderPrecisionFormat(n.FRAGMENT_SHADER,n.HIGH_FLOAT).precision>0)return"highp";x="mediump"}return x==="mediump"&&n.getShaderPrecisionFormat(n.VERTEX_SHADER,n.MEDIUM_FLOAT).precision>0&&n.getShaderPrecisionFormat(n.FRAGMENT_SHADER,n.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let l=t.precision!==void 0?t.precision:"highp",c=h(l);c!==l&&(Re("WebGLRenderer:",l,"not supported, using",c,"instead."),l=c);let u=t.reversedDepthBuffer===!0&&e.has("EXT_clip_control"),d=t.logarithmicDepthBuffer===!0&&u===!1;t.reversedDepthBuffer===!0&&u===!1&&Re("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),t.logarithmicDepthBuffer===!0&&u===!0&&Re("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let f=n.getParameter(n.MAX_TEXTURE_IMAGE_UNITS),p=n.getParameter(n.MAX_VERTEX_TEXTURE_IMAGE_UNITS),_=n.getParameter(n.MAX_TEXTURE_SIZE),m=n.getParameter(n.MAX_CUBE_MAP_TEXTURE_SIZE),g=n.getParameter(n.MAX_VERTEX_ATTRIBS),M=n.getParameter(n.MAX_VERTEX_UNIFORM_VECTORS),T=n.getParameter(n.MAX_VARYING_VECTORS),v=n.getParameter(n.MAX_FRAGMENT_UNIFORM_VECTORS),E=n.getParameter(n.MAX_SAMPLES),A=n.getParameter(n.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:h,textureFormatReadable:o,textureTypeReadable:a,precision:l,logarithmicDepthBuffer:d,reversedDepthBuffer:u,maxTextures:f,maxVertexTextures:p,maxTextureSize:_,maxCubemapSize:m,maxAttributes:g,maxVertexUniforms:M,maxVaryings:T,maxFragmentUniforms:v,maxSamples:E,samples:A}}function Y0(n){let e=this,t=null,i=0,s=!1,r=!1,o=new ni,a=new Ne,h={value:null,needsUpdate:!1};this.uniform=h,this.numPlanes=0,this.numIntersection=0,this.init=function(u,d){let f=u.length!==0||d||i!==0||s;return s=d,i=u.length,f},this.beginShadows=function(){r=!0,c(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(u,d){t=c(u,d,0)},this.setState=function(u,d,f){let p=u.clippingPlanes,_=u.clipIntersection,m=u.clipShadows,g=n.get(u);if(!s||p===null||p.length===0||r&&!m)r?c(null):l();else{let M=r?0:i,T=M*4,v=g.clippingState||null;h.value=v,v=c(p,d,T,f);for(let E=0;E!==T;++E)v[E]=t[E];g.clippingState=v,this.numIntersection=_?this.numPlanes:0,this.numPlanes+=M}};function l(){h.value!==t&&(h.value=t,h.needsUpdate=i>0),e.numPlanes=i,e.numIntersection=0}function c(u,d,f,p){let _=u!==null?u.length:0,m=null;if(_!==0){if(m=h.value,p!==!0||m===null){let g=f+_*4,M=d.matrixWorldInverse;a.getNormalMatrix(M),(m===null||m.length<g)&&(m=new Float32Array(g));for(let T=0,v=f;T!==_;++T,v+=4)o.copy(u[T]).applyMatrix4(M,a),o.normal.toArray(m,v),m[v+3]=o.constant}h.value=m,h.needsUpdate=!0}return e.numPlanes=_,e.numIntersection=0,m}}var _r=class extends si{constructor(e=1,t={}){super(e,e,t),this.isWebGLCubeRenderTarget=!0;let i={width:e,height:e,depth:1},s=[i,i,i,i,i,i];this.texture=new $s(s),this._setTextureOptions(t),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(e,t){this.texture.type=t.type,this.texture.colorSpace=t.colorSpace,this.texture.generateMipmaps=t.generateMipmaps,this.texture.minFilter=t.minFilter,this.texture.magFilter=t.magFilter;let i={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new hs(5,5,5),r=new Bt({name:"CubemapFromEquirect",uniforms:Dn(i.uniforms),vertexShader:i.vertexShader,fragmentShader:i.fragmentShader,side:qt,blending:Rn});r.uniforms.tEquirect.value=t;let o=new Tt(s,r),a=t.minFilter;return t.minFilter===Wi&&(t.minFilter=Wt),new us(1,10,this).update(e,o),t.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(e,t=!0,i=!0,s=!0){let r=e.getRenderTarget();for(let o=0;o<6;o++)e.setRenderTarget(this,o),e.clear(t,i,s);e.setRenderTarget(r)}},Qu=256,$0=3,Z0=20,Sd=256,vd=16,J0=3,K0=new R,j0=new Pe,Ta=class n{constructor(e){this._renderer=e,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new us(1,10,null),this._boxMesh=new Tt(new hs(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(e,t=0,i=.1,s=100,r={}){let{size:o=256,position:a=K0}=r,h=this._renderer;this._setSize(o);let l=this._allocateTarget(),c=this._getSourceTarget(!0);t>0&&(c.texture.mipmapsAutoUpdate=!1);let u=h.autoClear,d=h.autoClearColor,f=h.autoClearDepth,p=h.autoClearStencil,_=e.background;h.autoClear=!0,h.autoClearColor=!0,h.autoClearDepth=!0,h.autoClearStencil=!0,_===null&&(e.background=h.getClearColor(j0));let m=new us(i,s,c);return m.position.copy(a),m.update(h,e),h.autoClear=u,h.autoClearColor=d,h.autoClearDepth=f,h.autoClearStencil=p,e.background=_,t>0&&(c.texture.mipmapsAutoUpdate=!0,this._blur(l,t)),this._applyPMREM(l),l}fromEquirectangular(e,t=null){return this._fromTexture(e,t)}fromCubemap(e,t=null){return this._fromTexture(e,t)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=id(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=td(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(e,t){return t>0?1-Math.sqrt(1-e/t):0}_setSize(e){this._cubeSize=Math.max(Qu,Sh(e))}_fromTexture(e,t){e.mapping===In||e.mapping===ms?this._setSize(e.image.length===0?Qu:e.image[0].width||e.image[0].image.width):this._setSize(e.image.width/4);let i=t||this._allocateTarget();return this._textureToCubemap(e),this._applyPMREM(i),i}_allocateTarget(){let e=this._cubeSize,t=ed(e,!1,!1),i=Math.log2(e)-$0;for(let s=0;s<=i;s++)t.texture.mipmaps.push({width:e>>s,height:e>>s});return t.texture.name="PMREM",t.texture.isPMREMTexture=!0,t}_getSourceTarget(e=!1){let t=this._cubeSize,i=this._sourceTarget;return(i===null||i.width!==t||e&&i.depthBuffer===!1)&&(i!==null&&i.dispose(),this._sourceTarget=ed(t,!0,e)),this._sourceTarget}_compileMaterial(e){this._boxMesh.material=e,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(e,t,i){let s=this._boxMesh,r=this._cubeCamera;s.material=i,r.renderTarget=e,r.activeMipmapLevel=t;let o=e.width>>t;e.viewport.set(0,0,o,o),r.update(this._renderer,s),e.viewport.set(0,0,e.width,e.height)}_textureToCubemap(e){let t;e.mapping===In||e.mapping===ms?(this._cubemapMaterial===null&&(this._cubemapMaterial=id()),t=this._cubemapMaterial,t.uniforms.flipEnvMap.value=e.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=td()),t=this._equirectMaterial),t.uniforms.envMap.value=e,this._renderCube(this._getSourceTarget(),0,t)}_applyPMREM(e){this._ggxMaterial===null&&(this._ggxMaterial=Q0(),this._integrationMaterial=ex());let t=this._cubeSize,i=e.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(t/vd);for(let o=0;o<=i;o++){let a=n.lodToRoughness(o,i);if(o>i-J0)r.roughness.value=a,this._renderCube(e,o,this._integrationMaterial);else{let h=a>0?Math.log2(t)+.5*Math.log2(6/(Sd*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=h,this._renderCube(e,o,this._ggxMaterial)}}}_blur(e,t){this._blurMaterial===null&&(this._blurMaterial=tx());let i=this._blurMaterial,s=i.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(t,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(e,0,i),s.envMap.value=e.texture,this._renderCube(r,0,i)}};function ed(n,e,t){return new _r(n,{minFilter:Wi,generateMipmaps:e,type:wi,colorSpace:Fs,depthBuffer:t})}function br(n,e,t){return new Bt({name:n,uniforms:e,vertexShader:He.cube_vert,fragmentShader:t,side:qt,blending:Rn,depthTest:!1,depthWrite:!1})}function Q0(){return br("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${Sd}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function ex(){return br("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:vd}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function tx(){return br("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${Z0}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function td(){return br("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function id(){return br("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function ix(n){let e=new WeakMap,t=new WeakMap,i=null;function s(d,f=!1){return d==null?null:f?o(d):r(d)}function r(d){if(d&&d.isTexture){let f=d.mapping;if(f===Fo||f===Bo)if(e.has(d)){let p=e.get(d).texture;return a(p,d.mapping)}else{let p=d.image;if(p&&p.height>0){let _=new _r(p.height);return _.fromEquirectangularTexture(n,d),e.set(d,_),d.addEventListener("dispose",l),a(_.texture,d.mapping)}else return null}}return d}function o(d){if(d&&d.isTexture&&d.isPMREMTexture!==!0){let f=d.mapping,p=f===Fo||f===Bo,_=f===In||f===ms;if(p||_){let m=t.get(d),g=m!==void 0?m.texture.pmremVersion:0;if(d.isRenderTargetTexture&&d.pmremVersion!==g)return i===null&&(i=new Ta(n)),m=p?i.fromEquirectangular(d,m):i.fromCubemap(d,m),m.texture.pmremVersion=d.pmremVersion,t.set(d,m),m.texture;if(m!==void 0)return m.texture;{let M=d.image;return p&&M&&M.height>0||_&&M&&h(M)?(i===null&&(i=new Ta(n)),m=p?i.fromEquirectangular(d):i.fromCubemap(d),m.texture.pmremVersion=d.pmremVersion,t.set(d,m),d.addEventListener("dispose",c),m.texture):null}}}return d}function a(d,f){return f===Fo?d.mapping=In:f===Bo&&(d.mapping=ms),d}function h(d){let f=0,p=6;for(let _=0;_<p;_++)d[_]!==void 0&&f++;return f===p}function l(d){let f=d.target;f.removeEventListener("dispose",l);let p=e.get(f);p!==void 0&&(e.delete(f),p.dispose())}function c(d){let f=d.target;f.removeEventListener("dispose",c);let p=t.get(f);p!==void 0&&(t.delete(f),p.dispose())}function u(){e=new WeakMap,t=new WeakMap,i!==null&&(i.dispose(),i=null)}return{get:s,dispose:u}}function nx(n){let e={};function t(i){if(e[i]!==void 0)return e[i];let s=n.getExtension(i);return e[i]=s,s}return{has:function(i){return t(i)!==null},init:function(){t("EXT_color_buffer_float"),t("WEBGL_clip_cull_distance"),t("OES_texture_float_linear"),t("EXT_color_buffer_half_float"),t("WEBGL_multisampled_render_to_texture"),t("WEBGL_render_shared_exponent")},get:function(i){let s=t(i);return s===null&&Ns("WebGLRenderer: "+i+" extension not supported."),s}}}function sx(n,e,t,i){let s={},r=new WeakMap,o=new FinalizationRegistry(p=>delete s[p]);function a(p){h(p.target)}function h(p){p.index!==null&&e.remove(p.index);for(let m in p.attributes)e.remove(p.attributes[m]);p.removeEventListener("dispose",a),delete s[p.id],o.unregister(p);let _=r.get(p);_&&(e.remove(_),r.delete(p)),i.releaseStatesOfGeometry(p),p.isInstancedBufferGeometry===!0&&delete p._maxInstanceCount,t.memory.geometries--}function l(p,_){return s[_.id]!==void 0||(_.addEventListener("dispose",a),s[_.id]=new WeakRef(_),o.register(_,_.id,_),t.memory.geometries++),_}function c(p){let _=p.attributes;for(let m in _)e.update(_[m],n.ARRAY_BUFFER)}function u(p){let _=p.index,m=p.attributes.position,g=0;if(m===void 0)return;let M=_!==null?_.array.length:m.array.length/3-1,T=m.count>=65535?Xs:Ws,v=new T(Math.ceil(M/3)*6,1),E=v.array;if(_!==null){let x=_.array;g=_.version;for(let S=0,U=0;S<M;S+=3){let I=x[S+0],N=x[S+1],F=x[S+2];E[U++]=I,E[U++]=N,E[U++]=N,E[U++]=F,E[U++]=F,E[U++]=I}}else{g=m.version;for(let x=0,S=0;x<M;x+=3){let U=x+0,I=x+1,N=x+2;E[S++]=U,E[S++]=I,E[S++]=I,E[S++]=N,E[S++]=N,E[S++]=U}}v.version=g;let A=r.get(p);A&&e.remove(A),r.set(p,v)}function d(p){let _=r.get(p);if(_){let m=p.index;m!==null&&_.version<m.version&&u(p)}else u(p);return r.get(p)}function f(){for(let p in s){let _=s[p].deref();_!==void 0&&h(_)}}return{get:l,update:c,getWireframeAttribute:d,dispose:f}}function rx(n,e,t){let i;function s(u){i=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function h(u,d){n.drawElements(i,d,r,u*o),t.update(d,i,1)}function l(u,d,f){f!==0&&(n.drawElementsInstanced(i,d,r,u*o,f),t.update(d,i,f))}function c(u,d,f){if(f===0)return;e.get("WEBGL_multi_draw").multiDrawElementsWEBGL(i,d,0,r,u,0,f);let _=0;for(let m=0;m<f;m++)_+=d[m];t.update(_,i,1)}this.setMode=s,this.setIndex=a,this.render=h,this.renderInstances=l,this.renderMultiDraw=c}function ox(n){let e={geometries:0,textures:0},t={frame:0,calls:0,triangles:0,points:0,lines:0};function i(r,o,a){switch(t.calls++,o){case n.TRIANGLES:t.triangles+=a*(r/3);break;case n.LINES:t.lines+=a*(r/2);break;case n.LINE_STRIP:t.lines+=a*(r-1);break;case n.LINE_LOOP:t.lines+=a*r;break;case n.POINTS:t.points+=a*r;break;default:De("WebGLInfo: Unknown draw mode:",o);break}}function s(){t.calls=0,t.triangles=0,t.points=0,t.lines=0}return{memory:e,render:t,programs:null,autoReset:!0,reset:s,update:i}}function ax(n,e,t){let i=new WeakMap,s=new et;function r(o,a,h){let l=o.morphTargetInfluences,c=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,u=c!==void 0?c.length:0,d=i.get(a);if(d===void 0||d.count!==u){let U=function(){x.dispose(),i.delete(a),a.removeEventListener("dispose",U)};d!==void 0&&d.texture.dispose();let f=a.morphAttributes.position!==void 0,p=a.morphAttributes.normal!==void 0,_=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],g=a.morphAttributes.normal||[],M=a.morphAttributes.color||[],T=0;f===!0&&(T=1),p===!0&&(T=2),_===!0&&(T=3);let v=a.attributes.position.count*T,E=1;v>e.maxTextureSize&&(E=Math.ceil(v/e.maxTextureSize),v=e.maxTextureSize);let A=new Float32Array(v*E*4*u),x=new Hs(A,v,E,u);x.type=pi,x.needsUpdate=!0;let S=T*4;for(let I=0;I<u;I++){let N=m[I],F=g[I],G=M[I],P=v*E*4*I;for(let V=0;V<N.count;V++){let Y=V*S;f===!0&&(s.fromBufferAttribute(N,V),A[P+Y+0]=s.x,A[P+Y+1]=s.y,A[P+Y+2]=s.z,A[P+Y+3]=0),p===!0&&(s.fromBufferAttribute(F,V),A[P+Y+4]=s.x,A[P+Y+5]=s.y,A[P+Y+6]=s.z,A[P+Y+7]=0),_===!0&&(s.fromBufferAttribute(G,V),A[P+Y+8]=s.x,A[P+Y+9]=s.y,A[P+Y+10]=s.z,A[P+Y+11]=G.itemSize===4?s.w:1)}}d={count:u,texture:x,size:new Te(v,E)},i.set(a,d),a.addEventListener("dispose",U)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)h.getUniforms().setValue(n,"morphTexture",o.morphTexture,t);else{let f=0;for(let _=0;_<l.length;_++)f+=l[_];let p=a.morphTargetsRelative?1:1-f;h.getUniforms().setValue(n,"morphTargetBaseInfluence",p),h.getUniforms().setValue(n,"morphTargetInfluences",l)}h.getUniforms().setValue(n,"morphTargetsTexture",d.texture,t),h.getUniforms().setValue(n,"morphTargetsTextureSize",d.size)}return{update:r}}function lx(n,e,t,i,s){let r=new WeakMap;function o(l){let c=s.render.frame,u=l.geometry,d=e.get(l,u);if(r.get(d)!==c&&(e.update(d),r.set(d,c)),l.isInstancedMesh&&(l.hasEventListener("dispose",h)===!1&&l.addEventListener("dispose",h),r.get(l)!==c&&(t.update(l.instanceMatrix,n.ARRAY_BUFFER),l.instanceColor!==null&&t.update(l.instanceColor,n.ARRAY_BUFFER),r.set(l,c))),l.isSkinnedMesh){let f=l.skeleton;r.get(f)!==c&&(f.update(),r.set(f,c))}return d}function a(){r=new WeakMap}function h(l){let c=l.target;c.removeEventListener("dispose",h),i.releaseStatesOfObject(c),t.remove(c.instanceMatrix),c.instanceColor!==null&&t.remove(c.instanceColor)}return{update:o,dispose:a}}var hx={[th]:"LINEAR_TONE_MAPPING",[ih]:"REINHARD_TONE_MAPPING",[nh]:"CINEON_TONE_MAPPING",[sh]:"ACES_FILMIC_TONE_MAPPING",[oh]:"AGX_TONE_MAPPING",[ah]:"NEUTRAL_TONE_MAPPING",[rh]:"CUSTOM_TONE_MAPPING"};function cx(n,e,t,i,s,r){let o=new si(e,t,{type:n,depthBuffer:s,stencilBuffer:r,samples:i?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,h=null,l=null,c=new mt;c.setAttribute("position",new ut([-1,3,0,-1,-1,0,3,-1,0],3)),c.setAttribute("uv",new ut([0,2,0,0,2,0],2));let u=new Mo({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),d=new Tt(c,u),f=new No(-1,1,1,-1,0,1),p=null,_=null,m=!1,g,M=null,T=[],v=!1;this.setSize=function(E,A){o.setSize(E,A),a!==null&&a.setSize(E,A),h!==null&&h.setSize(E,A);for(let x=0;x<T.length;x++){let S=T[x];S.setSize&&S.setSize(E,A)}},this.setEffects=function(E){T=E,v=T.length>0&&T[0].isRenderPass===!0;let A=o.width,x=o.height;T.length>0&&a===null&&(a=new si(A,x,{type:wi,depthBuffer:!1,stencilBuffer:!1}),h=new si(A,x,{type:wi,depthBuffer:!1,stencilBuffer:!1}));let S=s===!0&&T.some(U=>U.needsDepthTexture===!0);S!==(o.depthTexture!==null)&&(S===!0&&l===null&&(l=new Vi(A,x),r===!0&&(l.format=Xi,l.type=Ln)),o.dispose(),o.depthTexture=S?l:null,o.resolveDepthBuffer=S,o.storeMultisampledDepthBuffer=S);for(let U=0;U<T.length;U++){let I=T[U];I.setSize&&I.setSize(A,x),S&&I.needsDepthTexture===!0&&I.setDepthTexture&&I.setDepthTexture(l)}},this.begin=function(E,A){if(m||E.toneMapping===Ri&&T.length===0)return!1;if(M=A,A!==null){let x=A.width,S=A.height;(o.width!==x||o.height!==S)&&this.setSize(x,S)}return v===!1&&E.setRenderTarget(o),g=E.toneMapping,E.toneMapping=Ri,!0},this.hasRenderPass=function(){return v},this.end=function(E,A){E.toneMapping=g,m=!0;let x=o,S=a;for(let U=0;U<T.length;U++){let I=T[U];I.enabled!==!1&&(I.render(E,S,x,A),I.needsSwap!==!1&&(x=S,S=S===a?h:a))}if(p!==E.outputColorSpace||_!==E.toneMapping){p=E.outputColorSpace,_=E.toneMapping,u.defines={},qe.getTransfer(p)===Je&&(u.defines.SRGB_TRANSFER="");let U=hx[_];U&&(u.defines[U]=""),u.needsUpdate=!0}u.uniforms.tDiffuse.value=x.texture,E.setRenderTarget(M),E.render(d,f),M=null,m=!1},this.isCompositing=function(){return m},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),h!==null&&h.dispose(),c.dispose(),u.dispose()}}var wd=new Zt,Ad=new Vi(1,1),Td=new Zs(1),Ed=new Hs,Cd=new xo,Rd=new $s,nd=[],sd=[],rd=new Float32Array(16),od=new Float32Array(9),ad=new Float32Array(4);function ys(n,e,t){let i=n[0];if(i<=0||i>0)return n;let s=e*t,r=nd[s];if(r===void 0&&(r=new Float32Array(s),nd[s]=r),e!==0){i.toArray(r,0);for(let o=1,a=0;o!==e;++o)a+=t,n[o].toArray(r,a)}return r}function yt(n,e){if(n.length!==e.length)return!1;for(let t=0,i=n.length;t<i;t++)if(n[t]!==e[t])return!1;return!0}function _t(n,e){for(let t=0,i=e.length;t<i;t++)n[t]=e[t]}function Ca(n,e){let t=sd[e];t===void 0&&(t=new Int32Array(e),sd[e]=t);for(let i=0;i!==e;++i)t[i]=n.allocateTextureUnit();return t}function ux(n,e){let t=this.cache;t[0]!==e&&(n.uniform1f(this.addr,e),t[0]=e)}function dx(n,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(n.uniform2f(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(yt(t,e))return;n.uniform2fv(this.addr,e),_t(t,e)}}function fx(n,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(n.uniform3f(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else if(e.r!==void 0)(t[0]!==e.r||t[1]!==e.g||t[2]!==e.b)&&(n.uniform3f(this.addr,e.r,e.g,e.b),t[0]=e.r,t[1]=e.g,t[2]=e.b);else{if(yt(t,e))return;n.uniform3fv(this.addr,e),_t(t,e)}}function px(n,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(n.uniform4f(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(yt(t,e))return;n.uniform4fv(this.addr,e),_t(t,e)}}function mx(n,e){let t=this.cache,i=e.elements;if(i===void 0){if(yt(t,e))return;n.uniformMatrix2fv(this.addr,!1,e),_t(t,e)}else{if(yt(t,i))return;ad.set(i),n.uniformMatrix2fv(this.addr,!1,ad),_t(t,i)}}function gx(n,e){let t=this.cache,i=e.elements;if(i===void 0){if(yt(t,e))return;n.uniformMatrix3fv(this.addr,!1,e),_t(t,e)}else{if(yt(t,i))return;od.set(i),n.uniformMatrix3fv(this.addr,!1,od),_t(t,i)}}function xx(n,e){let t=this.cache,i=e.elements;if(i===void 0){if(yt(t,e))return;n.uniformMatrix4fv(this.addr,!1,e),_t(t,e)}else{if(yt(t,i))return;rd.set(i),n.uniformMatrix4fv(this.addr,!1,rd),_t(t,i)}}function yx(n,e){let t=this.cache;t[0]!==e&&(n.uniform1i(this.addr,e),t[0]=e)}function _x(n,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(n.uniform2i(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(yt(t,e))return;n.uniform2iv(this.addr,e),_t(t,e)}}function bx(n,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(n.uniform3i(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(yt(t,e))return;n.uniform3iv(this.addr,e),_t(t,e)}}function Mx(n,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(n.uniform4i(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(yt(t,e))return;n.uniform4iv(this.addr,e),_t(t,e)}}function Sx(n,e){let t=this.cache;t[0]!==e&&(n.uniform1ui(this.addr,e),t[0]=e)}function vx(n,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(n.uniform2ui(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(yt(t,e))return;n.uniform2uiv(this.addr,e),_t(t,e)}}function wx(n,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(n.uniform3ui(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(yt(t,e))return;n.uniform3uiv(this.addr,e),_t(t,e)}}function Ax(n,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(n.uniform4ui(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(yt(t,e))return;n.uniform4uiv(this.addr,e),_t(t,e)}}function Ra(n){return n.version===0&&(n.compareFunction=yh,n.needsUpdate=!0),n}function Tx(n,e,t){let i=this.cache,s=t.allocateTextureUnit();i[0]!==s&&(n.uniform1i(this.addr,s),i[0]=s);let r;this.type===n.SAMPLER_2D_SHADOW?r=Ra(Ad):r=wd,t.setTexture2D(e||r,s)}function Ex(n,e,t){let i=this.cache,s=t.allocateTextureUnit();i[0]!==s&&(n.uniform1i(this.addr,s),i[0]=s),t.setTexture3D(e||Cd,s)}function Cx(n,e,t){let i=this.cache,s=t.allocateTextureUnit();i[0]!==s&&(n.uniform1i(this.addr,s),i[0]=s);let r;this.type===n.SAMPLER_CUBE_SHADOW?r=Ra(Td):r=Rd,t.setTextureCube(e||r,s)}function Rx(n,e,t){let i=this.cache,s=t.allocateTextureUnit();i[0]!==s&&(n.uniform1i(this.addr,s),i[0]=s),t.setTexture2DArray(e||Ed,s)}function Px(n){switch(n){case 5126:return ux;case 35664:return dx;case 35665:return fx;case 35666:return px;case 35674:return mx;case 35675:return gx;case 35676:return xx;case 5124:case 35670:return yx;case 35667:case 35671:return _x;case 35668:case 35672:return bx;case 35669:case 35673:return Mx;case 5125:return Sx;case 36294:return vx;case 36295:return wx;case 36296:return Ax;case 35678:case 36198:case 36298:case 36306:case 35682:return Tx;case 35679:case 36299:case 36307:return Ex;case 35680:case 36300:case 36308:case 36293:return Cx;case 36289:case 36303:case 36311:case 36292:return Rx}}function Ix(n,e){n.uniform1fv(this.addr,e)}function Lx(n,e){let t=ys(e,this.size,2);n.uniform2fv(this.addr,t)}function Dx(n,e){let t=ys(e,this.size,3);n.uniform3fv(this.addr,t)}function Nx(n,e){let t=ys(e,this.size,4);n.uniform4fv(this.addr,t)}function Ux(n,e){let t=ys(e,this.size,4);n.uniformMatrix2fv(this.addr,!1,t)}function Ox(n,e){let t=ys(e,this.size,9);n.uniformMatrix3fv(this.addr,!1,t)}function Fx(n,e){let t=ys(e,this.size,16);n.uniformMatrix4fv(this.addr,!1,t)}function Bx(n,e){n.uniform1iv(this.addr,e)}function zx(n,e){n.uniform2iv(this.addr,e)}function kx(n,e){n.uniform3iv(this.addr,e)}function Gx(n,e){n.uniform4iv(this.addr,e)}function Hx(n,e){n.uniform1uiv(this.addr,e)}function Vx(n,e){n.uniform2uiv(this.addr,e)}function Wx(n,e){n.uniform3uiv(this.addr,e)}function Xx(n,e){n.uniform4uiv(this.addr,e)}function qx(n,e,t){let i=this.cache,s=e.length,r=Ca(t,s);yt(i,r)||(n.uniform1iv(this.addr,r),_t(i,r));let o;this.type===n.SAMPLER_2D_SHADOW?o=Ra(Ad):o=wd;for(let a=0;a!==s;++a)t.setTexture2D(e[a]||o,r[a])}function Yx(n,e,t){let i=this.cache,s=e.length,r=Ca(t,s);yt(i,r)||(n.uniform1iv(this.addr,r),_t(i,r));for(let o=0;o!==s;++o)t.setTexture3D(e[o]||Cd,r[o])}function $x(n,e,t){let i=this.cache,s=e.length,r=Ca(t,s);yt(i,r)||(n.uniform1iv(this.addr,r),_t(i,r));let o;this.type===n.SAMPLER_CUBE_SHADOW?o=Ra(Td):o=Rd;for(let a=0;a!==s;++a)t.setTextureCube(e[a]||o,r[a])}function Zx(n,e,t){let i=this.cache,s=e.length,r=Ca(t,s);yt(i,r)||(n.uniform1iv(this.addr,r),_t(i,r));for(let o=0;o!==s;++o)t.setTexture2DArray(e[o]||Ed,r[o])}function Jx(n){switch(n){case 5126:return Ix;case 35664:return Lx;case 35665:return Dx;case 35666:return Nx;case 35674:return Ux;case 35675:return Ox;case 35676:return Fx;case 5124:case 35670:return Bx;case 35667:case 35671:return zx;case 35668:case 35672:return kx;case 35669:case 35673:return Gx;case 5125:return Hx;case 36294:return Vx;case 36295:return Wx;case 36296:return Xx;case 35678:case 36198:case 36298:case 36306:case 35682:return qx;case 35679:case 36299:case 36307:return Yx;case 35680:case 36300:case 36308:case 36293:return $x;case 36289:case 36303:case 36311:case 36292:return Zx}}var Oh=class{constructor(e,t,i){this.id=e,this.addr=i,this.cache=[],this.type=t.type,this.setValue=Px(t.type)}},Fh=class{constructor(e,t,i){this.id=e,this.addr=i,this.cache=[],this.type=t.type,this.size=t.size,this.setValue=Jx(t.type)}},Bh=class{constructor(e){this.id=e,this.seq=[],this.map={}}setValue(e,t,i){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(e,t[a.id],i)}}},Nh=/(\w+)(\])?(\[|\.)?/g;function ld(n,e){n.seq.push(e),n.map[e.id]=e}function Kx(n,e,t){let i=n.name,s=i.length;for(Nh.lastIndex=0;;){let r=Nh.exec(i),o=Nh.lastIndex,a=r[1],h=r[2]==="]",l=r[3];if(h&&(a=a|0),l===void 0||l==="["&&o+2===s){ld(t,l===void 0?new Oh(a,n,e):new Fh(a,n,e));break}else{let u=t.map[a];u===void 0&&(u=new Bh(a),ld(t,u)),t=u}}}var xs=class{constructor(e,t){this.seq=[],this.map={};let i=e.getProgramParameter(t,e.ACTIVE_UNIFORMS);for(let o=0;o<i;++o){let a=e.getActiveUniform(t,o),h=e.getUniformLocation(t,a.name);Kx(a,h,this)}let s=[],r=[];for(let o of this.seq)o.type===e.SAMPLER_2D_SHADOW||o.type===e.SAMPLER_CUBE_SHADOW||o.type===e.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(e,t,i,s){let r=this.map[t];r!==void 0&&r.setValue(e,i,s)}setOptional(e,t,i){let s=t[i];s!==void 0&&this.setValue(e,i,s)}static upload(e,t,i,s){for(let r=0,o=t.length;r!==o;++r){let a=t[r],h=i[a.id];h.needsUpdate!==!1&&a.setValue(e,h.value,s)}}static seqWithValue(e,t){let i=[];for(let s=0,r=e.length;s!==r;++s){let o=e[s];o.id in t&&i.push(o)}return i}};function hd(n,e,t){let i=n.createShader(e);return n.shaderSource(i,t),n.compileShader(i),i}var jx=37297,Qx=0;function ey(n,e){let t=n.split(`
`),i=[],s=Math.max(e-6,0),r=Math.min(e+6,t.length);for(let o=s;o<r;o++){let a=o+1;i.push(`${a===e?">":" "} ${a}: ${t[o]}`)}return i.join(`
`)}var cd=new Ne;function ty(n){qe._getMatrix(cd,qe.workingColorSpace,n);let e=`mat3( ${cd.elements.map(t=>t.toFixed(4))} )`;switch(qe.getTransfer(n)){case Bs:return[e,"LinearTransferOETF"];case Je:return[e,"sRGBTransferOETF"];default:return Re("WebGLProgram: Unsupported color space: ",n),[e,"LinearTransferOETF"]}}function ud(n,e,t){let i=n.getShaderParameter(e,n.COMPILE_STATUS),r=(n.getShaderInfoLog(e)||"").trim();if(i&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return t.toUpperCase()+`

`+r+`

`+ey(n.getShaderSource(e),a)}else return r}function iy(n,e){let t=ty(e);return[`vec4 ${n}( vec4 value ) {`,`	return ${t[1]}( vec4( ${t[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var ny={[th]:"Linear",[ih]:"Reinhard",[nh]:"Cineon",[sh]:"ACESFilmic",[oh]:"AgX",[ah]:"Neutral",[rh]:"Custom"};function sy(n,e){let t=ny[e];return t===void 0?(Re("WebGLProgram: Unsupported toneMapping:",e),"vec3 "+n+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+n+"( vec3 color ) { return "+t+"ToneMapping( color ); }"}var Aa=new R;function ry(){qe.getLuminanceCoefficients(Aa);let n=Aa.x.toFixed(4),e=Aa.y.toFixed(4),t=Aa.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${n}, ${e}, ${t} );`,"	return dot( weights, rgb );","}"].join(`
`)}function oy(n){return[n.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",n.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(yr).join(`
`)}function ay(n){let e=[];for(let t in n){let i=n[t];i!==!1&&e.push("#define "+t+" "+i)}return e.join(`
`)}function ly(n,e){let t={},i=n.getProgramParameter(e,n.ACTIVE_ATTRIBUTES);for(let s=0;s<i;s++){let r=n.getActiveAttrib(e,s),o=r.name,a=1;r.type===n.FLOAT_MAT2&&(a=2),r.type===n.FLOAT_MAT3&&(a=3),r.type===n.FLOAT_MAT4&&(a=4),t[o]={type:r.type,location:n.getAttribLocation(e,o),locationSize:a}}return t}function yr(n){return n!==""}function dd(n,e){let t=e.numSpotLightShadows+e.numSpotLightMaps-e.numSpotLightShadowsWithMaps;return n.replace(/NUM_SUN_LIGHTS/g,e.numSunLights).replace(/NUM_DIR_LIGHTS/g,e.numDirLights).replace(/NUM_SPOT_LIGHTS/g,e.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,e.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,t).replace(/NUM_RECT_AREA_LIGHTS/g,e.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,e.numPointLights).replace(/NUM_HEMI_LIGHTS/g,e.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,e.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,e.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,e.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,e.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,e.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,e.numLightProbeGrids)}function fd(n,e){return n.replace(/NUM_CLIPPING_PLANES/g,e.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,e.numClippingPlanes-e.numClipIntersection)}var hy=/^[ \t]*#include +<([\w\d./]+)>/gm;function zh(n){return n.replace(hy,cy)}function cy(n,e){let t=He[e];if(t===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+e+">");return zh(t)}var uy=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function pd(n){return n.replace(uy,dy)}function dy(n,e,t,i){let s="";for(let r=parseInt(e);r<parseInt(t);r++)s+=i.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function md(n){let e=`precision ${n.precision} float;
	precision ${n.precision} int;
	precision ${n.precision} sampler2D;
	precision ${n.precision} samplerCube;
	precision ${n.precision} sampler3D;
	precision ${n.precision} sampler2DArray;
	precision ${n.precision} sampler2DShadow;
	precision ${n.precision} samplerCubeShadow;
	precision ${n.precision} sampler2DArrayShadow;
	precision ${n.precision} isampler2D;
	precision ${n.precision} isampler3D;
	precision ${n.precision} isamplerCube;
	precision ${n.precision} isampler2DArray;
	precision ${n.precision} usampler2D;
	precision ${n.precision} usampler3D;
	precision ${n.precision} usamplerCube;
	precision ${n.precision} usampler2DArray;
	`;return n.precision==="highp"?e+=`
#define HIGH_PRECISION`:n.precision==="mediump"?e+=`
#define MEDIUM_PRECISION`:n.precision==="lowp"&&(e+=`
#define LOW_PRECISION`),e}var fy={[ar]:"SHADOWMAP_TYPE_PCF",[fs]:"SHADOWMAP_TYPE_VSM"};function py(n){return fy[n.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var my={[ms]:"ENVMAP_MODE_REFRACTION"};function gy(n){return n.envMap===!1?"ENVMAP_MODE_REFLECTION":my[n.envMapMode]||"ENVMAP_MODE_REFLECTION"}var xy={[eh]:"ENVMAP_BLENDING_MULTIPLY",[Uu]:"ENVMAP_BLENDING_MIX",[Ou]:"ENVMAP_BLENDING_ADD"};function yy(n){return n.envMap===!1?"ENVMAP_BLENDING_NONE":xy[n.combine]||"ENVMAP_BLENDING_NONE"}function _y(n,e,t,i){let s=n.getContext(),r=t.defines,o=t.vertexShader,a=t.fragmentShader,h=py(t),l=t.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",c=gy(t),u=yy(t),d=oy(t),f=ay(r),p=s.createProgram(),_,m,g=t.glslVersion?"#version "+t.glslVersion+`
`:"";t.isRawShaderMaterial?(_=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f].filter(yr).join(`
`),_.length>0&&(_+=`
`),m=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f].filter(yr).join(`
`),m.length>0&&(m+=`
`)):(_=[md(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f,t.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",t.batching?"#define USE_BATCHING":"",t.batchingColor?"#define USE_BATCHING_COLOR":"",t.instancing?"#define USE_INSTANCING":"",t.instancingColor?"#define USE_INSTANCING_COLOR":"",t.instancingMorph?"#define USE_INSTANCING_MORPH":"",t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.map?"#define USE_MAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+c:"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.displacementMap?"#define USE_DISPLACEMENTMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.mapUv?"#define MAP_UV "+t.mapUv:"",t.alphaMapUv?"#define ALPHAMAP_UV "+t.alphaMapUv:"",t.lightMapUv?"#define LIGHTMAP_UV "+t.lightMapUv:"",t.aoMapUv?"#define AOMAP_UV "+t.aoMapUv:"",t.emissiveMapUv?"#define EMISSIVEMAP_UV "+t.emissiveMapUv:"",t.bumpMapUv?"#define BUMPMAP_UV "+t.bumpMapUv:"",t.normalMapUv?"#define NORMALMAP_UV "+t.normalMapUv:"",t.displacementMapUv?"#define DISPLACEMENTMAP_UV "+t.displacementMapUv:"",t.metalnessMapUv?"#define METALNESSMAP_UV "+t.metalnessMapUv:"",t.roughnessMapUv?"#define ROUGHNESSMAP_UV "+t.roughnessMapUv:"",t.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+t.anisotropyMapUv:"",t.clearcoatMapUv?"#define CLEARCOATMAP_UV "+t.clearcoatMapUv:"",t.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+t.clearcoatNormalMapUv:"",t.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+t.clearcoatRoughnessMapUv:"",t.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+t.diffuseRoughnessMapUv:"",t.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+t.iridescenceMapUv:"",t.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+t.iridescenceThicknessMapUv:"",t.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+t.sheenColorMapUv:"",t.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+t.sheenRoughnessMapUv:"",t.specularMapUv?"#define SPECULARMAP_UV "+t.specularMapUv:"",t.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+t.specularColorMapUv:"",t.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+t.specularIntensityMapUv:"",t.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+t.transmissionMapUv:"",t.thicknessMapUv?"#define THICKNESSMAP_UV "+t.thicknessMapUv:"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexNormals?"#define HAS_NORMAL":"",t.vertexColors?"#define USE_COLOR":"",t.vertexAlphas?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.flatShading?"#define FLAT_SHADED":"",t.skinning?"#define USE_SKINNING":"",t.morphTargets?"#define USE_MORPHTARGETS":"",t.morphNormals&&t.flatShading===!1?"#define USE_MORPHNORMALS":"",t.morphColors?"#define USE_MORPHCOLORS":"",t.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+t.morphTextureStride:"",t.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+t.morphTargetsCount:"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+h:"",t.sizeAttenuation?"#define USE_SIZEATTENUATION":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(yr).join(`
`),m=[md(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f,t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",t.map?"#define USE_MAP":"",t.matcap?"#define USE_MATCAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+l:"",t.envMap?"#define "+c:"",t.envMap?"#define "+u:"",t.envMapPMREM?"#define ENVMAP_MAX_LOD "+t.envMapMaxLod+".0":"",t.envMapPMREM?"#define ENVMAP_SIZE "+t.envMapSize+".0":"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoat?"#define USE_CLEARCOAT":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.dispersion?"#define USE_DISPERSION":"",t.retroreflection?"#define USE_RETROREFLECTION":"",t.iridescence?"#define USE_IRIDESCENCE":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaTest?"#define USE_ALPHATEST":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.sheen?"#define USE_SHEEN":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexColors||t.instancingColor?"#define USE_COLOR":"",t.vertexAlphas||t.batchingColor?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.gradientMap?"#define USE_GRADIENTMAP":"",t.flatShading?"#define FLAT_SHADED":"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+h:"",t.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",t.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",t.toneMapping!==Ri?"#define TONE_MAPPING":"",t.toneMapping!==Ri?He.tonemapping_pars_fragment:"",t.toneMapping!==Ri?sy("toneMapping",t.toneMapping):"",t.dithering?"#define DITHERING":"",t.opaque?"#define OPAQUE":"",He.colorspace_pars_fragment,iy("linearToOutputTexel",t.outputColorSpace),ry(),t.useDepthPacking?"#define DEPTH_PACKING "+t.depthPacking:"",`
`].filter(yr).join(`
`)),o=zh(o),o=dd(o,t),o=fd(o,t),a=zh(a),a=dd(a,t),a=fd(a,t),o=pd(o),a=pd(a),t.isRawShaderMaterial!==!0&&(g=`#version 300 es
`,_=[d,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+_,m=["#define varying in",t.glslVersion===bh?"":"layout(location = 0) out highp vec4 pc_fragColor;",t.glslVersion===bh?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+m);let M=g+_+o,T=g+m+a,v=hd(s,s.VERTEX_SHADER,M),E=hd(s,s.FRAGMENT_SHADER,T);s.attachShader(p,v),s.attachShader(p,E),t.index0AttributeName!==void 0?s.bindAttribLocation(p,0,t.index0AttributeName):t.hasPositionAttribute===!0&&s.bindAttribLocation(p,0,"position"),s.linkProgram(p);function A(I){if(n.debug.checkShaderErrors){let N=s.getProgramInfoLog(p)||"",F=s.getShaderInfoLog(v)||"",G=s.getShaderInfoLog(E)||"",P=N.trim(),V=F.trim(),Y=G.trim(),H=!0,ie=!0;if(s.getProgramParameter(p,s.LINK_STATUS)===!1)if(H=!1,typeof n.debug.onShaderError=="function")n.debug.onShaderError(s,p,v,E);else{let q=ud(s,v,"vertex"),Q=ud(s,E,"fragment");De("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(p,s.VALIDATE_STATUS)+`

Material Name: `+I.name+`
Material Type: `+I.type+`

Program Info Log: `+P+`
`+q+`
`+Q)}else P!==""?Re("WebGLProgram: Program Info Log:",P):(V===""||Y==="")&&(ie=!1);ie&&(I.diagnostics={runnable:H,programLog:P,vertexShader:{log:V,prefix:_},fragmentShader:{log:Y,prefix:m}})}s.deleteShader(v),s.deleteShader(E),x=new xs(s,p),S=ly(s,p)}let x;this.getUniforms=function(){return x===void 0&&A(this),x};let S;this.getAttributes=function(){return S===void 0&&A(this),S};let U=t.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return U===!1&&(U=s.getProgramParameter(p,jx)),U},this.destroy=function(){i.releaseStatesOfProgram(this),s.deleteProgram(p),this.program=void 0},this.type=t.shaderType,this.name=t.shaderName,this.id=Qx++,this.cacheKey=e,this.usedTimes=1,this.program=p,this.vertexShader=v,this.fragmentShader=E,this}var by=0,kh=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(e,t,i){let s=this._getShaderCacheForMaterial(e);return s.has(t)===!1&&(s.add(t),t.usedTimes++),s.has(i)===!1&&(s.add(i),i.usedTimes++),this}remove(e){let t=this.materialCache.get(e);for(let i of t)i.usedTimes--,i.usedTimes===0&&this.shaderCache.delete(i.code);return this.materialCache.delete(e),this}getVertexShaderStage(e){return this._getShaderStage(e.vertexShader)}getFragmentShaderStage(e){return this._getShaderStage(e.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(e){let t=this.materialCache,i=t.get(e);return i===void 0&&(i=new Set,t.set(e,i)),i}_getShaderStage(e){let t=this.shaderCache,i=t.get(e);return i===void 0&&(i=new Gh(e),t.set(e,i)),i}},Gh=class{constructor(e){this.id=by++,this.code=e,this.usedTimes=0}};function My(n){return n===fn||n===fr||n===pr}function Sy(n,e,t,i,s,r){let o=new os,a=new kh,h=new Set,l=[],c=new Map,u=i.logarithmicDepthBuffer,d={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function f(x){return h.add(x),x===0?"uv":`uv${x}`}function p(x,S,U,I,N,F){let G=I.fog,P=N.geometry,V=x.isMeshStandardMaterial||x.isMeshLambertMaterial||x.isMeshPhongMaterial?I.environment:null,Y=x.isMeshStandardMaterial||x.isMeshLambertMaterial&&!x.envMap||x.isMeshPhongMaterial&&!x.envMap,H=e.get(x.envMap||V,Y),ie=d[x.type],q=i.precision;x.precision!==null&&(q=i.getMaxPrecision(x.precision),q!==x.precision&&Re("WebGLProgram.getParameters:",x.precision,"not supported, using",q,"instead."));let Q=P.morphAttributes.position||P.morphAttributes.normal||P.morphAttributes.color,ee=Q!==void 0?Q.length:0,Se=0;P.morphAttributes.position!==void 0&&(Se=1),P.morphAttributes.normal!==void 0&&(Se=2),P.morphAttributes.color!==void 0&&(Se=3);let Oe,J,me,_e;if(ie){let pe=Yt[ie];Oe=pe.vertexShader,J=pe.fragmentShader}else{Oe=x.vertexShader,J=x.fragmentShader;let pe=a.getVertexShaderStage(x),Qe=a.getFragmentShaderStage(x);a.update(x,pe,Qe),me=pe.id,_e=Qe.id}let Ee=n.getRenderTarget(),ge=n.state.buffers.depth.getReversed(),ze=N.isInstancedMesh===!0,dt=N.isBatchedMesh===!0,Ie=!!x.map,je=!!x.matcap,tt=!!H,Ve=tt&&H.isPMREMTexture===!0,Et=!!x.aoMap,gt=!!x.lightMap,$t=!!x.bumpMap&&x.wireframe===!1,ht=!!x.normalMap,Ti=!!x.displacementMap,Mt=!!x.emissiveMap,ai=!!x.metalnessMap,li=!!x.roughnessMap,hi=x.anisotropy>0,D=x.clearcoat>0,ci=x.diffuseRoughness>0,at=x.dispersion>0,lt=x.retroreflectivity>0,fe=x.iridescence>0,xt=x.sheen>0,Ce=x.transmission>0,Ue=hi&&!!x.anisotropyMap,w=D&&!!x.clearcoatMap,y=D&&!!x.clearcoatNormalMap,B=D&&!!x.clearcoatRoughnessMap,te=ci&&!!x.diffuseRoughnessMap,j=fe&&!!x.iridescenceMap,re=fe&&!!x.iridescenceThicknessMap,ce=xt&&!!x.sheenColorMap,$=xt&&!!x.sheenRoughnessMap,Z=!!x.specularMap,ae=!!x.specularColorMap,C=!!x.specularIntensityMap,K=Ce&&!!x.transmissionMap,X=Ce&&!!x.thicknessMap,le=!!x.gradientMap,se=!!x.alphaMap,oe=x.alphaTest>0,we=!!x.alphaHash,Ge=!!x.extensions,ne=Ri;x.toneMapped&&(Ee===null||Ee.isXRRenderTarget===!0)&&(ne=n.toneMapping);let Ae=Ve?H.isCompressedCubeTexture?H.image[0].mipmaps:H.mipmaps:null,ke={shaderID:ie,shaderType:x.type,shaderName:x.name,vertexShader:Oe,fragmentShader:J,defines:x.defines,customVertexShaderID:me,customFragmentShaderID:_e,isRawShaderMaterial:x.isRawShaderMaterial===!0,glslVersion:x.glslVersion,precision:q,batching:dt,batchingColor:dt&&N._colorsTexture!==null,instancing:ze,instancingColor:ze&&N.instanceColor!==null,instancingMorph:ze&&N.morphTexture!==null,outputColorSpace:Ee===null?n.outputColorSpace:Ee.isXRRenderTarget===!0?Ee.texture.colorSpace:qe.workingColorSpace,alphaToCoverage:!!x.alphaToCoverage,map:Ie,matcap:je,envMap:tt,envMapMode:tt&&H.mapping,envMapPMREM:Ve,envMapMaxLod:Ve?Ae.length-1:null,envMapSize:Ve?Ae[0].width:null,aoMap:Et,lightMap:gt,bumpMap:$t,normalMap:ht,displacementMap:Ti,emissiveMap:Mt,normalMapObjectSpace:ht&&x.normalMapType===zu,normalMapTangentSpace:ht&&x.normalMapType===mh,packedNormalMap:ht&&x.normalMapType===mh&&My(x.normalMap.format),metalnessMap:ai,roughnessMap:li,anisotropy:hi,anisotropyMap:Ue,clearcoat:D,clearcoatMap:w,clearcoatNormalMap:y,clearcoatRoughnessMap:B,diffuseRoughness:ci,diffuseRoughnessMap:te,dispersion:at,retroreflection:lt,iridescence:fe,iridescenceMap:j,iridescenceThicknessMap:re,sheen:xt,sheenColorMap:ce,sheenRoughnessMap:$,specularMap:Z,specularColorMap:ae,specularIntensityMap:C,transmission:Ce,transmissionMap:K,thicknessMap:X,gradientMap:le,opaque:x.transparent===!1&&x.blending===ps&&x.alphaToCoverage===!1,alphaMap:se,alphaTest:oe,alphaHash:we,combine:x.combine,mapUv:Ie&&f(x.map.channel),aoMapUv:Et&&f(x.aoMap.channel),lightMapUv:gt&&f(x.lightMap.channel),bumpMapUv:$t&&f(x.bumpMap.channel),normalMapUv:ht&&f(x.normalMap.channel),displacementMapUv:Ti&&f(x.displacementMap.channel),emissiveMapUv:Mt&&f(x.emissiveMap.channel),metalnessMapUv:ai&&f(x.metalnessMap.channel),roughnessMapUv:li&&f(x.roughnessMap.channel),anisotropyMapUv:Ue&&f(x.anisotropyMap.channel),clearcoatMapUv:w&&f(x.clearcoatMap.channel),clearcoatNormalMapUv:y&&f(x.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:B&&f(x.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:te&&f(x.diffuseRoughnessMap.channel),iridescenceMapUv:j&&f(x.iridescenceMap.channel),iridescenceThicknessMapUv:re&&f(x.iridescenceThicknessMap.channel),sheenColorMapUv:ce&&f(x.sheenColorMap.channel),sheenRoughnessMapUv:$&&f(x.sheenRoughnessMap.channel),specularMapUv:Z&&f(x.specularMap.channel),specularColorMapUv:ae&&f(x.specularColorMap.channel),specularIntensityMapUv:C&&f(x.specularIntensityMap.channel),transmissionMapUv:K&&f(x.transmissionMap.channel),thicknessMapUv:X&&f(x.thicknessMap.channel),alphaMapUv:se&&f(x.alphaMap.channel),vertexTangents:!!P.attributes.tangent&&(ht||hi),vertexNormals:!!P.attributes.normal,vertexColors:x.vertexColors,vertexAlphas:x.vertexColors===!0&&!!P.attributes.color&&P.attributes.color.itemSize===4,pointsUvs:N.isPoints===!0&&!!P.attributes.uv&&(Ie||se),fog:!!G,useFog:x.fog===!0,fogExp2:!!G&&G.isFogExp2,flatShading:x.wireframe===!1&&(x.flatShading===!0||P.attributes.normal===void 0&&ht===!1&&(x.isMeshLambertMaterial||x.isMeshPhongMaterial||x.isMeshStandardMaterial||x.isMeshPhysicalMaterial)),sizeAttenuation:x.sizeAttenuation===!0,logarithmicDepthBuffer:u,reversedDepthBuffer:ge,skinning:N.isSkinnedMesh===!0,hasPositionAttribute:P.attributes.position!==void 0,morphTargets:P.morphAttributes.position!==void 0,morphNormals:P.morphAttributes.normal!==void 0,morphColors:P.morphAttributes.color!==void 0,morphTargetsCount:ee,morphTextureStride:Se,numSunLights:S.sun.length,numDirLights:S.directional.length,numPointLights:S.point.length,numSpotLights:S.spot.length,numSpotLightMaps:S.spotLightMap.length,numRectAreaLights:S.rectArea.length,numHemiLights:S.hemi.length,numSunLightShadows:S.sunShadowMap.length,numDirLightShadows:S.directionalShadowMap.length,numPointLightShadows:S.pointShadowMap.length,numSpotLightShadows:S.spotShadowMap.length,numSpotLightShadowsWithMaps:S.numSpotLightShadowsWithMaps,numLightProbes:S.numLightProbes,numLightProbeGrids:F.filter(pe=>pe.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:x.dithering,shadowMapEnabled:n.shadowMap.enabled&&U.length>0,shadowMapType:n.shadowMap.type,toneMapping:ne,decodeVideoTexture:Ie&&x.map.isVideoTexture===!0&&qe.getTransfer(x.map.colorSpace)===Je,decodeVideoTextureEmissive:Mt&&x.emissiveMap.isVideoTexture===!0&&qe.getTransfer(x.emissiveMap.colorSpace)===Je,premultipliedAlpha:x.premultipliedAlpha,doubleSided:x.side===Kt,flipSided:x.side===qt,useDepthPacking:x.depthPacking>=0,depthPacking:x.depthPacking||0,index0AttributeName:x.index0AttributeName,extensionClipCullDistance:Ge&&x.extensions.clipCullDistance===!0&&t.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Ge&&x.extensions.multiDraw===!0||dt)&&t.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:t.has("KHR_parallel_shader_compile"),customProgramCacheKey:x.customProgramCacheKey()};return ke.vertexUv1s=h.has(1),ke.vertexUv2s=h.has(2),ke.vertexUv3s=h.has(3),h.clear(),ke}function _(x){let S=[];if(x.shaderID?S.push(x.shaderID):(S.push(x.customVertexShaderID),S.push(x.customFragmentShaderID)),x.defines!==void 0)for(let U in x.defines)S.push(U),S.push(x.defines[U]);return x.isRawShaderMaterial===!1&&(m(S,x),g(S,x),S.push(n.outputColorSpace)),S.push(x.customProgramCacheKey),S.join()}function m(x,S){x.push(S.precision),x.push(S.outputColorSpace),x.push(S.envMapMode),x.push(S.envMapPMREM),x.push(S.envMapMaxLod),x.push(S.envMapSize),x.push(S.mapUv),x.push(S.alphaMapUv),x.push(S.lightMapUv),x.push(S.aoMapUv),x.push(S.bumpMapUv),x.push(S.normalMapUv),x.push(S.displacementMapUv),x.push(S.emissiveMapUv),x.push(S.metalnessMapUv),x.push(S.roughnessMapUv),x.push(S.anisotropyMapUv),x.push(S.clearcoatMapUv),x.push(S.clearcoatNormalMapUv),x.push(S.clearcoatRoughnessMapUv),x.push(S.diffuseRoughnessMapUv),x.push(S.iridescenceMapUv),x.push(S.iridescenceThicknessMapUv),x.push(S.sheenColorMapUv),x.push(S.sheenRoughnessMapUv),x.push(S.specularMapUv),x.push(S.specularColorMapUv),x.push(S.specularIntensityMapUv),x.push(S.transmissionMapUv),x.push(S.thicknessMapUv),x.push(S.combine),x.push(S.fogExp2),x.push(S.sizeAttenuation),x.push(S.morphTargetsCount),x.push(S.numSunLights),x.push(S.numDirLights),x.push(S.numPointLights),x.push(S.numSpotLights),x.push(S.numSpotLightMaps),x.push(S.numHemiLights),x.push(S.numRectAreaLights),x.push(S.numSunLightShadows),x.push(S.numDirLightShadows),x.push(S.numPointLightShadows),x.push(S.numSpotLightShadows),x.push(S.numSpotLightShadowsWithMaps),x.push(S.numLightProbes),x.push(S.numLightProbeGrids),x.push(S.shadowMapType),x.push(S.toneMapping),x.push(S.numClippingPlanes),x.push(S.numClipIntersection),x.push(S.depthPacking)}function g(x,S){o.disableAll(),S.instancing&&o.enable(0),S.instancingColor&&o.enable(1),S.instancingMorph&&o.enable(2),S.matcap&&o.enable(3),S.envMap&&o.enable(4),S.normalMapObjectSpace&&o.enable(5),S.normalMapTangentSpace&&o.enable(6),S.clearcoat&&o.enable(7),S.iridescence&&o.enable(8),S.alphaTest&&o.enable(9),S.vertexColors&&o.enable(10),S.vertexAlphas&&o.enable(11),S.vertexUv1s&&o.enable(12),S.vertexUv2s&&o.enable(13),S.vertexUv3s&&o.enable(14),S.vertexTangents&&o.enable(15),S.anisotropy&&o.enable(16),S.alphaHash&&o.enable(17),S.batching&&o.enable(18),S.dispersion&&o.enable(19),S.retroreflection&&o.enable(24),S.diffuseRoughness&&o.enable(25),S.batchingColor&&o.enable(20),S.gradientMap&&o.enable(21),S.packedNormalMap&&o.enable(22),S.vertexNormals&&o.enable(23),x.push(o.mask),o.disableAll(),S.fog&&o.enable(0),S.useFog&&o.enable(1),S.flatShading&&o.enable(2),S.logarithmicDepthBuffer&&o.enable(3),S.reversedDepthBuffer&&o.enable(4),S.skinning&&o.enable(5),S.morphTargets&&o.enable(6),S.morphNormals&&o.enable(7),S.morphColors&&o.enable(8),S.premultipliedAlpha&&o.enable(9),S.shadowMapEnabled&&o.enable(10),S.doubleSided&&o.enable(11),S.flipSided&&o.enable(12),S.useDepthPacking&&o.enable(13),S.dithering&&o.enable(14),S.transmission&&o.enable(15),S.sheen&&o.enable(16),S.opaque&&o.enable(17),S.pointsUvs&&o.enable(18),S.decodeVideoTexture&&o.enable(19),S.decodeVideoTextureEmissive&&o.enable(20),S.alphaToCoverage&&o.enable(21),S.numLightProbeGrids>0&&o.enable(22),S.hasPositionAttribute&&o.enable(23),x.push(o.mask)}function M(x){let S=d[x.type],U;if(S){let I=Yt[S];U=gr.clone(I.uniforms)}else U=x.uniforms;return U}function T(x,S){let U=c.get(S);return U!==void 0?++U.usedTimes:(U=new _y(n,S,x,s),l.push(U),c.set(S,U)),U}function v(x){if(--x.usedTimes===0){let S=l.indexOf(x);l[S]=l[l.length-1],l.pop(),c.delete(x.cacheKey),x.destroy()}}function E(x){a.remove(x)}function A(){a.dispose()}return{getParameters:p,getProgramCacheKey:_,getUniforms:M,acquireProgram:T,releaseProgram:v,releaseShaderCache:E,programs:l,dispose:A}}function vy(){let n=new WeakMap;function e(o){return n.has(o)}function t(o){let a=n.get(o);return a===void 0&&(a={},n.set(o,a)),a}function i(o){n.delete(o)}function s(o,a,h){n.get(o)[a]=h}function r(){n=new WeakMap}return{has:e,get:t,remove:i,update:s,dispose:r}}function wy(n,e){return n.groupOrder!==e.groupOrder?n.groupOrder-e.groupOrder:n.renderOrder!==e.renderOrder?n.renderOrder-e.renderOrder:n.material.id!==e.material.id?n.material.id-e.material.id:n.materialVariant!==e.materialVariant?n.materialVariant-e.materialVariant:n.z!==e.z?n.z-e.z:n.id-e.id}function gd(n,e){return n.groupOrder!==e.groupOrder?n.groupOrder-e.groupOrder:n.renderOrder!==e.renderOrder?n.renderOrder-e.renderOrder:n.z!==e.z?e.z-n.z:n.id-e.id}function xd(){let n=[],e=0,t=[],i=[],s=[];function r(){e=0,t.length=0,i.length=0,s.length=0}function o(d){let f=0;return d.isInstancedMesh&&(f+=2),d.isSkinnedMesh&&(f+=1),f}function a(d,f,p,_,m,g){let M=n[e];return M===void 0?(M={id:d.id,object:d,geometry:f,material:p,materialVariant:o(d),groupOrder:_,renderOrder:d.renderOrder,z:m,group:g},n[e]=M):(M.id=d.id,M.object=d,M.geometry=f,M.material=p,M.materialVariant=o(d),M.groupOrder=_,M.renderOrder=d.renderOrder,M.z=m,M.group=g),e++,M}function h(d,f,p,_,m,g,M){M.reversedDepth===!0&&(m=-m);let T=a(d,f,p,_,m,g);p.transmission>0?i.push(T):p.transparent===!0?s.push(T):t.push(T)}function l(d,f,p,_,m,g){let M=a(d,f,p,_,m,g);p.transmission>0?i.unshift(M):p.transparent===!0?s.unshift(M):t.unshift(M)}function c(d,f){t.length>1&&t.sort(d||wy),i.length>1&&i.sort(f||gd),s.length>1&&s.sort(f||gd)}function u(){for(let d=e,f=n.length;d<f;d++){let p=n[d];if(p.id===null)break;p.id=null,p.object=null,p.geometry=null,p.material=null,p.group=null}}return{opaque:t,transmissive:i,transparent:s,init:r,push:h,unshift:l,finish:u,sort:c}}function Ay(){let n=new WeakMap;function e(i,s){let r=n.get(i),o;return r===void 0?(o=new xd,n.set(i,[o])):s>=r.length?(o=new xd,r.push(o)):o=r[s],o}function t(){n=new WeakMap}return{get:e,dispose:t}}function Ty(){let n={};return{get:function(e){if(n[e.id]!==void 0)return n[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={direction:new R,color:new Pe};break;case"SpotLight":t={position:new R,direction:new R,color:new Pe,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":t={position:new R,color:new Pe,distance:0,decay:0};break;case"HemisphereLight":t={direction:new R,skyColor:new Pe,groundColor:new Pe};break;case"RectAreaLight":t={color:new Pe,position:new R,halfWidth:new R,halfHeight:new R};break}return n[e.id]=t,t}}}function Ey(){let n={};return{get:function(e){if(n[e.id]!==void 0)return n[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Te};break;case"SpotLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Te};break;case"PointLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Te,shadowCameraNear:1,shadowCameraFar:1e3};break}return n[e.id]=t,t}}}var Cy=0;function Ry(n,e){return(e.castShadow?2:0)-(n.castShadow?2:0)+(e.map?1:0)-(n.map?1:0)}function Py(n){let e=new Ty,t=Ey(),i={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let l=0;l<9;l++)i.probe.push(new R);let s=new R,r=new Ke,o=new Ke;function a(l){let c=0,u=0,d=0;for(let F=0;F<9;F++)i.probe[F].set(0,0,0);let f=0,p=0,_=0,m=0,g=0,M=0,T=0,v=0,E=0,A=0,x=0,S=0,U=0,I=0;l.sort(Ry);for(let F=0,G=l.length;F<G;F++){let P=l[F],V=P.color,Y=P.intensity,H=P.distance,ie=null;if(P.shadow&&P.shadow.map&&(P.shadow.map.texture.format===fn?ie=P.shadow.map.texture:ie=P.shadow.map.depthTexture||P.shadow.map.texture),P.isAmbientLight)c+=V.r*Y,u+=V.g*Y,d+=V.b*Y;else if(P.isLightProbe){for(let q=0;q<9;q++)i.probe[q].addScaledVector(P.sh.coefficients[q],Y);I++}else if(P.isSunLight){let q=e.get(P);if(q.color.copy(P.color).multiplyScalar(P.intensity),P.castShadow){let Q=P.shadow,ee=t.get(P);ee.shadowIntensity=Q.intensity,ee.shadowBias=Q.bias,ee.shadowNormalBias=Q.normalBias,ee.shadowRadius=Q.radius,ee.shadowMapSize.copy(Q.mapSize).multiply(Q.getFrameExtents()),i.sunShadow[p]=ee,i.sunShadowMap[p]=ie;let Se=Q.getViewportCount();for(let Oe=0;Oe<Se;Oe++)i.sunShadowMatrix[_+Oe]=Q.getMatrix(Oe),i.sunShadowCascade[_+Oe]=Q._cascadeData[Oe];_+=Se,p++}i.sun[f]=q,f++}else if(P.isDirectionalLight){let q=e.get(P);if(q.color.copy(P.color).multiplyScalar(P.intensity),P.castShadow){let Q=P.shadow,ee=t.get(P);ee.shadowIntensity=Q.intensity,ee.shadowBias=Q.bias,ee.shadowNormalBias=Q.normalBias,ee.shadowRadius=Q.radius,ee.shadowMapSize=Q.mapSize,i.directionalShadow[m]=ee,i.directionalShadowMap[m]=ie,i.directionalShadowMatrix[m]=P.shadow.matrix,E++}i.directional[m]=q,m++}else if(P.isSpotLight){let q=e.get(P);q.position.setFromMatrixPosition(P.matrixWorld),q.color.copy(V).multiplyScalar(Y),q.distance=H,q.coneCos=Math.cos(P.angle),q.penumbraCos=Math.cos(P.angle*(1-P.penumbra)),q.decay=P.decay,i.spot[M]=q;let Q=P.shadow;if(P.map&&(i.spotLightMap[S]=P.map,S++,Q.updateMatrices(P),P.castShadow&&U++),i.spotLightMatrix[M]=Q.matrix,P.castShadow){let ee=t.get(P);ee.shadowIntensity=Q.intensity,ee.shadowBias=Q.bias,ee.shadowNormalBias=Q.normalBias,ee.shadowRadius=Q.radius,ee.shadowMapSize=Q.mapSize,i.spotShadow[M]=ee,i.spotShadowMap[M]=ie,x++}M++}else if(P.isRectAreaLight){let q=e.get(P);q.color.copy(V).multiplyScalar(Y),q.halfWidth.set(P.width*.5,0,0),q.halfHeight.set(0,P.height*.5,0),i.rectArea[T]=q,T++}else if(P.isPointLight){let q=e.get(P);if(q.color.copy(P.color).multiplyScalar(P.intensity),q.distance=P.distance,q.decay=P.decay,P.castShadow){let Q=P.shadow,ee=t.get(P);ee.shadowIntensity=Q.intensity,ee.shadowBias=Q.bias,ee.shadowNormalBias=Q.normalBias,ee.shadowRadius=Q.radius,ee.shadowMapSize=Q.mapSize,ee.shadowCameraNear=Q.camera.near,ee.shadowCameraFar=Q.camera.far,i.pointShadow[g]=ee,i.pointShadowMap[g]=ie,i.pointShadowMatrix[g]=P.shadow.matrix,A++}i.point[g]=q,g++}else if(P.isHemisphereLight){let q=e.get(P);q.skyColor.copy(P.color).multiplyScalar(Y),q.groundColor.copy(P.groundColor).multiplyScalar(Y),i.hemi[v]=q,v++}}T>0&&(n.has("OES_texture_float_linear")===!0?(i.rectAreaLTC1=de.LTC_FLOAT_1,i.rectAreaLTC2=de.LTC_FLOAT_2):(i.rectAreaLTC1=de.LTC_HALF_1,i.rectAreaLTC2=de.LTC_HALF_2)),i.ambient[0]=c,i.ambient[1]=u,i.ambient[2]=d;let N=i.hash;(N.sunLength!==f||N.directionalLength!==m||N.pointLength!==g||N.spotLength!==M||N.rectAreaLength!==T||N.hemiLength!==v||N.numSunShadows!==p||N.numDirectionalShadows!==E||N.numPointShadows!==A||N.numSpotShadows!==x||N.numSpotMaps!==S||N.numLightProbes!==I)&&(i.sun.length=f,i.directional.length=m,i.spot.length=M,i.rectArea.length=T,i.point.length=g,i.hemi.length=v,i.sunShadow.length=p,i.sunShadowMap.length=p,i.sunShadowMatrix.length=_,i.sunShadowCascade.length=_,i.directionalShadow.length=E,i.directionalShadowMap.length=E,i.directionalShadowMatrix.length=E,i.pointShadow.length=A,i.pointShadowMap.length=A,i.pointShadowMatrix.length=A,i.spotShadow.length=x,i.spotShadowMap.length=x,i.spotLightMatrix.length=x+S-U,i.spotLightMap.length=S,i.numSpotLightShadowsWithMaps=U,i.numLightProbes=I,N.sunLength=f,N.directionalLength=m,N.pointLength=g,N.spotLength=M,N.rectAreaLength=T,N.hemiLength=v,N.numSunShadows=p,N.numDirectionalShadows=E,N.numPointShadows=A,N.numSpotShadows=x,N.numSpotMaps=S,N.numLightProbes=I,i.version=Cy++)}function h(l,c){let u=0,d=0,f=0,p=0,_=0,m=0,g=c.matrixWorldInverse;for(let M=0,T=l.length;M<T;M++){let v=l[M];if(v.isSunLight){let E=i.sun[u];E.direction.setFromMatrixPosition(v.matrixWorld),E.direction.transformDirection(g),u++}else if(v.isDirectionalLight){let E=i.directional[d];E.direction.setFromMatrixPosition(v.matrixWorld),s.setFromMatrixPosition(v.target.matrixWorld),E.direction.sub(s),E.direction.transformDirection(g),d++}else if(v.isSpotLight){let E=i.spot[p];E.position.setFromMatrixPosition(v.matrixWorld),E.position.applyMatrix4(g),E.direction.setFromMatrixPosition(v.matrixWorld),s.setFromMatrixPosition(v.target.matrixWorld),E.direction.sub(s),E.direction.transformDirection(g),p++}else if(v.isRectAreaLight){let E=i.rectArea[_];E.position.setFromMatrixPosition(v.matrixWorld),E.position.applyMatrix4(g),o.identity(),r.copy(v.matrixWorld),r.premultiply(g),o.extractRotation(r),E.halfWidth.set(v.width*.5,0,0),E.halfHeight.set(0,v.height*.5,0),E.halfWidth.applyMatrix4(o),E.halfHeight.applyMatrix4(o),_++}else if(v.isPointLight){let E=i.point[f];E.position.setFromMatrixPosition(v.matrixWorld),E.position.applyMatrix4(g),f++}else if(v.isHemisphereLight){let E=i.hemi[m];E.direction.setFromMatrixPosition(v.matrixWorld),E.direction.transformDirection(g),m++}}}return{setup:a,setupView:h,state:i}}function yd(n){let e=new Py(n),t=[],i=[],s=[];function r(u){c.camera=u,t.length=0,i.length=0,s.length=0}function o(u){u.isLightProbeGrid?s.push(u):t.push(u)}function a(u){i.push(u)}function h(){e.setup(t),s.sort((u,d)=>u.priority-d.priority||u.id-d.id)}function l(u){e.setupView(t,u)}let c={lightsArray:t,shadowsArray:i,lightProbeGridArray:s,camera:null,lights:e,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:c,setupLights:h,setupLightsView:l,pushLight:o,pushShadow:a}}function Iy(n){let e=new WeakMap;function t(s,r=0){let o=e.get(s),a;return o===void 0?(a=new yd(n),e.set(s,[a])):r>=o.length?(a=new yd(n),o.push(a)):a=o[r],a}function i(){e=new WeakMap}return{get:t,dispose:i}}var Ly=`void main(){
gl_Position=vec4(position,1.0);
}`,Dy=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main(){
const float samples=float(VSM_SAMPLES);
float mean=0.0;
float squared_mean=0.0;
float uvStride=samples<=1.0?0.0:2.0/(samples - 1.0);
float uvStart=samples<=1.0?0.0:- 1.0;
for(float i=0.0;i<samples;i ++){
float uvOffset=uvStart + i*uvStride;
#ifdef HORIZONTAL_PASS
vec2 distribution=texture2D(shadow_pass,(gl_FragCoord.xy + vec2(uvOffset,0.0)*radius)/resolution).rg;
mean +=distribution.x;
squared_mean +=distribution.y*distribution.y + distribution.x*distribution.x;
#else
float depth=texture2D(shadow_pass,(gl_FragCoord.xy + vec2(0.0,uvOffset)*radius)/resolution).r;
mean +=depth;
squared_mean +=depth*depth;
#endif
}
mean=mean/samples;
squared_mean=squared_mean/samples;
float std_dev=sqrt(max(0.0,squared_mean - mean*mean));
gl_FragColor=vec4(mean,std_dev,0.0,1.0);
}`,Ny=[new R(1,0,0),new R(-1,0,0),new R(0,1,0),new R(0,-1,0),new R(0,0,1),new R(0,0,-1)],Uy=[new R(0,-1,0),new R(0,-1,0),new R(0,0,1),new R(0,0,-1),new R(0,-1,0),new R(0,-1,0)],_d=new Ke,xr=new R,Uh=new R;function Oy(n,e,t){let i=new En,s=new Te,r=new Te,o=new et,a=new So,h=new vo,l={},c=t.maxTextureSize,u={[dn]:qt,[qt]:dn,[Kt]:Kt},d=new Bt({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new Te},radius:{value:4}},vertexShader:Ly,fragmentShader:Dy}),f=d.clone();f.defines.HORIZONTAL_PASS=1;let p=new mt;p.setAttribute("position",new ot(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let _=new Tt(p,d),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=ar;let g=this.type;this.render=function(A,x,S){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||A.length===0)return;this.type===gu&&(Re("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=ar);let U=n.getRenderTarget(),I=n.getActiveCubeFace(),N=n.getActiveMipmapLevel(),F=n.state;F.setBlending(Rn),F.buffers.depth.getReversed()===!0?F.buffers.color.setClear(0,0,0,0):F.buffers.color.setClear(1,1,1,1),F.buffers.depth.setTest(!0),F.setScissorTest(!1);let G=g!==this.type;G&&x.traverse(function(P){P.material&&(Array.isArray(P.material)?P.material.forEach(V=>V.needsUpdate=!0):P.material.needsUpdate=!0)});for(let P=0,V=A.length;P<V;P++){let Y=A[P],H=Y.shadow;if(H===void 0){Re("WebGLShadowMap:",Y,"has no shadow.");continue}if(H.autoUpdate===!1&&H.needsUpdate===!1)continue;s.copy(H.mapSize);let ie=H.getFrameExtents();s.multiply(ie),r.copy(H.mapSize),(s.x>c||s.y>c)&&(s.x>c&&(r.x=Math.floor(c/ie.x),s.x=r.x*ie.x,H.mapSize.x=r.x),s.y>c&&(r.y=Math.floor(c/ie.y),s.y=r.y*ie.y,H.mapSize.y=r.y));let q=n.state.buffers.depth.getReversed();if(H.camera._reversedDepth=q,H.map===null||G===!0){if(H.map!==null&&(H.map.depthTexture!==null&&(H.map.depthTexture.dispose(),H.map.depthTexture=null),H.map.dispose()),this.type===fs){if(Y.isPointLight){Re("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}H.map=new si(s.x,s.y,{format:fn,type:wi,minFilter:Wt,magFilter:Wt,generateMipmaps:!1}),H.map.texture.name=Y.name+".shadowMap",H.map.depthTexture=new Vi(s.x,s.y,pi),H.map.depthTexture.name=Y.name+".shadowMapDepth",H.map.depthTexture.format=Hi,H.map.depthTexture.compareFunction=null,H.map.depthTexture.minFilter=At,H.map.depthTexture.magFilter=At}else Y.isPointLight?(H.map=new _r(s.x),H.map.depthTexture=new Zs(s.x,vi)):(H.map=new si(s.x,s.y),H.map.depthTexture=new Vi(s.x,s.y,vi)),H.map.depthTexture.name=Y.name+".shadowMap",H.map.depthTexture.format=Hi,this.type===ar?(H.map.depthTexture.compareFunction=q?xh:gh,H.map.depthTexture.minFilter=Wt,H.map.depthTexture.magFilter=Wt):(H.map.depthTexture.compareFunction=null,H.map.depthTexture.minFilter=At,H.map.depthTexture.magFilter=At);H.camera.updateProjectionMatrix()}H.map.isWebGLCubeRenderTarget!==!0&&(H.map.width!==s.x||H.map.height!==s.y)&&H.map.setSize(s.x,s.y);let Q=H.map.isWebGLCubeRenderTarget?6:H.getViewportCount();Y.isPointLight!==!0&&H.updateMatrices(Y,S);let ee=(H.camera.layers.mask&4294967294)!==0?H.camera.layers:S.layers;for(let Se=0;Se<Q;Se++){let Oe=H.getCamera(Se);if(Y.isPointLight){let J=H.camera,me=H.matrix,_e=Y.distance||J.far;_e!==J.far&&(J.far=_e,J.updateProjectionMatrix()),xr.setFromMatrixPosition(Y.matrixWorld),J.position.copy(xr),Uh.copy(J.position),Uh.add(Ny[Se]),J.up.copy(Uy[Se]),J.lookAt(Uh),J.updateMatrixWorld(),me.makeTranslation(-xr.x,-xr.y,-xr.z),_d.multiplyMatrices(J.projectionMatrix,J.matrixWorldInverse),H._frustum.setFromProjectionMatrix(_d,J.coordinateSystem,J.reversedDepth)}if(H.map.isWebGLCubeRenderTarget)n.setRenderTarget(H.map,Se),n.clear();else{Se===0&&(n.setRenderTarget(H.map),n.clear());let J=H.getViewport(Se);o.set(r.x*J.x,r.y*J.y,r.x*J.z,r.y*J.w),F.viewport(o)}i=H.getFrustum(Se),v(x,S,Oe,Y,ee,this.type)}H.isPointLightShadow!==!0&&this.type===fs&&M(H,S),H.needsUpdate=!1}g=this.type,m.needsUpdate=!1,n.setRenderTarget(U,I,N)};function M(A,x){let S=e.update(_);d.defines.VSM_SAMPLES!==A.blurSamples&&(d.defines.VSM_SAMPLES=A.blurSamples,f.defines.VSM_SAMPLES=A.blurSamples,d.needsUpdate=!0,f.needsUpdate=!0),A.mapPass===null?A.mapPass=new si(s.x,s.y,{format:fn,type:wi}):(A.mapPass.width!==A.map.width||A.mapPass.height!==A.map.height)&&A.mapPass.setSize(A.map.width,A.map.height),d.uniforms.shadow_pass.value=A.map.depthTexture,d.uniforms.resolution.value.set(A.map.width,A.map.height),d.uniforms.radius.value=A.radius,n.setRenderTarget(A.mapPass),n.clear(),n.renderBufferDirect(x,null,S,d,_,null),f.uniforms.shadow_pass.value=A.mapPass.texture,f.uniforms.resolution.value.set(A.map.width,A.map.height),f.uniforms.radius.value=A.radius,n.setRenderTarget(A.map),n.clear(),n.renderBufferDirect(x,null,S,f,_,null)}function T(A,x,S,U){let I=null,N=S.isPointLight===!0?A.customDistanceMaterial:A.customDepthMaterial;if(N!==void 0)I=N;else if(I=S.isPointLight===!0?h:a,n.localClippingEnabled&&x.clipShadows===!0&&Array.isArray(x.clippingPlanes)&&x.clippingPlanes.length!==0||x.displacementMap&&x.displacementScale!==0||x.alphaMap&&x.alphaTest>0||x.map&&x.alphaTest>0||x.alphaToCoverage===!0){let F=I.uuid,G=x.uuid,P=l[F];P===void 0&&(P={},l[F]=P);let V=P[G];V===void 0&&(V=I.clone(),P[G]=V,x.addEventListener("dispose",E)),I=V}if(I.visible=x.visible,I.wireframe=x.wireframe,U===fs?I.side=x.shadowSide!==null?x.shadowSide:x.side:I.side=x.shadowSide!==null?x.shadowSide:u[x.side],I.alphaMap=x.alphaMap,I.alphaTest=x.alphaToCoverage===!0?.5:x.alphaTest,I.map=x.map,I.clipShadows=x.clipShadows,I.clippingPlanes=x.clippingPlanes,I.clipIntersection=x.clipIntersection,I.displacementMap=x.displacementMap,I.displacementScale=x.displacementScale,I.displacementBias=x.displacementBias,I.wireframeLinewidth=x.wireframeLinewidth,I.linewidth=x.linewidth,S.isPointLight===!0&&I.isMeshDistanceMaterial===!0){let F=n.properties.get(I);F.light=S}return I}function v(A,x,S,U,I,N){if(A.visible===!1)return;if(A.layers.test(I)&&(A.isMesh||A.isLine||A.isPoints)&&(A.castShadow||A.receiveShadow&&N===fs)&&(!A.frustumCulled||A.intersectsFrustum(i))){A.modelViewMatrix.multiplyMatrices(S.matrixWorldInverse,A.matrixWorld);let P=e.update(A),V=A.material;if(Array.isArray(V)){let Y=P.groups;for(let H=0,ie=Y.length;H<ie;H++){let q=Y[H],Q=V[q.materialIndex];if(Q&&Q.visible){let ee=T(A,Q,U,N);A.onBeforeShadow(n,A,x,S,P,ee,q),n.renderBufferDirect(S,null,P,ee,A,q),A.onAfterShadow(n,A,x,S,P,ee,q)}}}else if(V.visible){let Y=T(A,V,U,N);A.onBeforeShadow(n,A,x,S,P,Y,null),n.renderBufferDirect(S,null,P,Y,A,null),A.onAfterShadow(n,A,x,S,P,Y,null)}}let G=A.children;for(let P=0,V=G.length;P<V;P++)v(G[P],x,S,U,I,N)}function E(A){A.target.removeEventListener("dispose",E);for(let S in l){let U=l[S],I=A.target.uuid;I in U&&(U[I].dispose(),delete U[I])}}}function Fy(n,e){function t(){let C=!1,K=new et,X=null,le=new et(0,0,0,0);return{setMask:function(se){X!==se&&!C&&(n.colorMask(se,se,se,se),X=se)},setLocked:function(se){C=se},setClear:function(se,oe,we,Ge,ne){ne===!0&&(se*=Ge,oe*=Ge,we*=Ge),K.set(se,oe,we,Ge),le.equals(K)===!1&&(n.clearColor(se,oe,we,Ge),le.copy(K))},reset:function(){C=!1,X=null,le.set(-1,0,0,0)}}}function i(){let C=!1,K=!1,X=null,le=null,se=null;return{setReversed:function(oe){if(K!==oe){let we=e.get("EXT_clip_control");oe?we.clipControlEXT(we.LOWER_LEFT_EXT,we.ZERO_TO_ONE_EXT):we.clipControlEXT(we.LOWER_LEFT_EXT,we.NEGATIVE_ONE_TO_ONE_EXT),K=oe;let Ge=se;se=null,this.setClear(Ge)}},getReversed:function(){return K},setTest:function(oe){oe?ge(n.DEPTH_TEST):ze(n.DEPTH_TEST)},setMask:function(oe){X!==oe&&!C&&(n.depthMask(oe),X=oe)},setFunc:function(oe){if(K&&(oe=Zu[oe]),le!==oe){switch(oe){case ro:n.depthFunc(n.NEVER);break;case oo:n.depthFunc(n.ALWAYS);break;case ao:n.depthFunc(n.LESS);break;case ts:n.depthFunc(n.LEQUAL);break;case lo:n.depthFunc(n.EQUAL);break;case ho:n.depthFunc(n.GEQUAL);break;case is:n.depthFunc(n.GREATER);break;case co:n.depthFunc(n.NOTEQUAL);break;default:n.depthFunc(n.LEQUAL)}le=oe}},setLocked:function(oe){C=oe},setClear:function(oe){se!==oe&&(se=oe,K&&(oe=1-oe),n.clearDepth(oe))},reset:function(){C=!1,X=null,le=null,se=null,K=!1}}}function s(){let C=!1,K=null,X=null,le=null,se=null,oe=null,we=null,Ge=null,ne=null;return{setTest:function(Ae){C||(Ae?ge(n.STENCIL_TEST):ze(n.STENCIL_TEST))},setMask:function(Ae){K!==Ae&&!C&&(n.stencilMask(Ae),K=Ae)},setFunc:function(Ae,ke,pe){(X!==Ae||le!==ke||se!==pe)&&(n.stencilFunc(Ae,ke,pe),X=Ae,le=ke,se=pe)},setOp:function(Ae,ke,pe){(oe!==Ae||we!==ke||Ge!==pe)&&(n.stencilOp(Ae,ke,pe),oe=Ae,we=ke,Ge=pe)},setLocked:function(Ae){C=Ae},setClear:function(Ae){ne!==Ae&&(n.clearStencil(Ae),ne=Ae)},reset:function(){C=!1,K=null,X=null,le=null,se=null,oe=null,we=null,Ge=null,ne=null}}}let r=new t,o=new i,a=new s,h={},l=new WeakMap,c={},u={},d={},f=new WeakMap,p=[],_=null,m=!1,g=null,M=null,T=null,v=null,E=null,A=null,x=null,S=new Pe(0,0,0),U=0,I=!1,N=null,F=null,G=null,P=null,V=null,Y=n.getParameter(n.MAX_COMBINED_TEXTURE_IMAGE_UNITS),H=!1,ie=0,q=n.getParameter(n.VERSION);q.indexOf("WebGL")!==-1?(ie=parseFloat(/^WebGL (\d)/.exec(q)[1]),H=ie>=1):q.indexOf("OpenGL ES")!==-1&&(ie=parseFloat(/^OpenGL ES (\d)/.exec(q)[1]),H=ie>=2);let Q=null,ee={},Se=n.getParameter(n.SCISSOR_BOX),Oe=n.getParameter(n.VIEWPORT),J=new et().fromArray(Se),me=new et().fromArray(Oe);function _e(C,K,X,le){let se=new Uint8Array(4),oe=n.createTexture();n.bindTexture(C,oe),n.texParameteri(C,n.TEXTURE_MIN_FILTER,n.NEAREST),n.texParameteri(C,n.TEXTURE_MAG_FILTER,n.NEAREST);for(let we=0;we<X;we++)C===n.TEXTURE_3D||C===n.TEXTURE_2D_ARRAY?n.texImage3D(K,0,n.RGBA,1,1,le,0,n.RGBA,n.UNSIGNED_BYTE,se):n.texImage2D(K+we,0,n.RGBA,1,1,0,n.RGBA,n.UNSIGNED_BYTE,se);return oe}let Ee={};Ee[n.TEXTURE_2D]=_e(n.TEXTURE_2D,n.TEXTURE_2D,1),Ee[n.TEXTURE_CUBE_MAP]=_e(n.TEXTURE_CUBE_MAP,n.TEXTURE_CUBE_MAP_POSITIVE_X,6),Ee[n.TEXTURE_2D_ARRAY]=_e(n.TEXTURE_2D_ARRAY,n.TEXTURE_2D_ARRAY,1,1),Ee[n.TEXTURE_3D]=_e(n.TEXTURE_3D,n.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),ge(n.DEPTH_TEST),o.setFunc(ts),$t(!1),ht($l),ge(n.CULL_FACE),Et(Rn);function ge(C){c[C]!==!0&&(n.enable(C),c[C]=!0)}function ze(C){c[C]!==!1&&(n.disable(C),c[C]=!1)}function dt(C,K){return d[C]!==K?(n.bindFramebuffer(C,K),d[C]=K,C===n.DRAW_FRAMEBUFFER&&(d[n.FRAMEBUFFER]=K),C===n.FRAMEBUFFER&&(d[n.DRAW_FRAMEBUFFER]=K),!0):!1}function Ie(C,K){let X=p,le=!1;if(C){X=f.get(K),X===void 0&&(X=[],f.set(K,X));let se=C.textures;if(X.length!==se.length||X[0]!==n.COLOR_ATTACHMENT0){for(let oe=0,we=se.length;oe<we;oe++)X[oe]=n.COLOR_ATTACHMENT0+oe;X.length=se.length,le=!0}}else X[0]!==n.BACK&&(X[0]=n.BACK,le=!0);le&&n.drawBuffers(X)}function je(C){return _!==C?(n.useProgram(C),_=C,!0):!1}let tt={[Pn]:n.FUNC_ADD,[yu]:n.FUNC_SUBTRACT,[_u]:n.FUNC_REVERSE_SUBTRACT};tt[bu]=n.MIN,tt[Mu]=n.MAX;let Ve={[Su]:n.ZERO,[vu]:n.ONE,[wu]:n.SRC_COLOR,[jl]:n.SRC_ALPHA,[Pu]:n.SRC_ALPHA_SATURATE,[Cu]:n.DST_COLOR,[Tu]:n.DST_ALPHA,[Au]:n.ONE_MINUS_SRC_COLOR,[Ql]:n.ONE_MINUS_SRC_ALPHA,[Ru]:n.ONE_MINUS_DST_COLOR,[Eu]:n.ONE_MINUS_DST_ALPHA,[Iu]:n.CONSTANT_COLOR,[Lu]:n.ONE_MINUS_CONSTANT_COLOR,[Du]:n.CONSTANT_ALPHA,[Nu]:n.ONE_MINUS_CONSTANT_ALPHA};function Et(C,K,X,le,se,oe,we,Ge,ne,Ae){if(C===Rn){m===!0&&(ze(n.BLEND),m=!1);return}if(m===!1&&(ge(n.BLEND),m=!0),C!==xu){if(C!==g||Ae!==I){if((M!==Pn||E!==Pn)&&(n.blendEquation(n.FUNC_ADD),M=Pn,E=Pn),Ae)switch(C){case ps:n.blendFuncSeparate(n.ONE,n.ONE_MINUS_SRC_ALPHA,n.ONE,n.ONE_MINUS_SRC_ALPHA);break;case Zl:n.blendFunc(n.ONE,n.ONE);break;case Jl:n.blendFuncSeparate(n.ZERO,n.ONE_MINUS_SRC_COLOR,n.ZERO,n.ONE);break;case Kl:n.blendFuncSeparate(n.DST_COLOR,n.ONE_MINUS_SRC_ALPHA,n.ZERO,n.ONE);break;default:De("WebGLState: Invalid blending: ",C);break}else switch(C){case ps:n.blendFuncSeparate(n.SRC_ALPHA,n.ONE_MINUS_SRC_ALPHA,n.ONE,n.ONE_MINUS_SRC_ALPHA);break;case Zl:n.blendFuncSeparate(n.SRC_ALPHA,n.ONE,n.ONE,n.ONE);break;case Jl:De("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case Kl:De("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:De("WebGLState: Invalid blending: ",C);break}T=null,v=null,A=null,x=null,S.set(0,0,0),U=0,g=C,I=Ae}return}se=se||K,oe=oe||X,we=we||le,(K!==M||se!==E)&&(n.blendEquationSeparate(tt[K],tt[se]),M=K,E=se),(X!==T||le!==v||oe!==A||we!==x)&&(n.blendFuncSeparate(Ve[X],Ve[le],Ve[oe],Ve[we]),T=X,v=le,A=oe,x=we),(Ge.equals(S)===!1||ne!==U)&&(n.blendColor(Ge.r,Ge.g,Ge.b,ne),S.copy(Ge),U=ne),g=C,I=!1}function gt(C,K){C.side===Kt?ze(n.CULL_FACE):ge(n.CULL_FACE);let X=C.side===qt;K&&(X=!X),$t(X),C.blending===ps&&C.transparent===!1?Et(Rn):Et(C.blending,C.blendEquation,C.blendSrc,C.blendDst,C.blendEquationAlpha,C.blendSrcAlpha,C.blendDstAlpha,C.blendColor,C.blendAlpha,C.premultipliedAlpha),o.setFunc(C.depthFunc),o.setTest(C.depthTest),o.setMask(C.depthWrite),r.setMask(C.colorWrite);let le=C.stencilWrite;a.setTest(le),le&&(a.setMask(C.stencilWriteMask),a.setFunc(C.stencilFunc,C.stencilRef,C.stencilFuncMask),a.setOp(C.stencilFail,C.stencilZFail,C.stencilZPass)),Mt(C.polygonOffset,C.polygonOffsetFactor,C.polygonOffsetUnits),C.alphaToCoverage===!0?ge(n.SAMPLE_ALPHA_TO_COVERAGE):ze(n.SAMPLE_ALPHA_TO_COVERAGE)}function $t(C){N!==C&&(C?n.frontFace(n.CW):n.frontFace(n.CCW),N=C)}function ht(C){C!==pu?(ge(n.CULL_FACE),C!==F&&(C===$l?n.cullFace(n.BACK):C===mu?n.cullFace(n.FRONT):n.cullFace(n.FRONT_AND_BACK))):ze(n.CULL_FACE),F=C}function Ti(C){C!==G&&(H&&n.lineWidth(C),G=C)}function Mt(C,K,X){C?(ge(n.POLYGON_OFFSET_FILL),(P!==K||V!==X)&&(P=K,V=X,o.getReversed()&&(K=-K,X=-X),n.polygonOffset(K,X))):ze(n.POLYGON_OFFSET_FILL)}function ai(C){C?ge(n.SCISSOR_TEST):ze(n.SCISSOR_TEST)}function li(C){C===void 0&&(C=n.TEXTURE0+Y-1),Q!==C&&(n.activeTexture(C),Q=C)}function hi(C,K,X){X===void 0&&(Q===null?X=n.TEXTURE0+Y-1:X=Q);let le=ee[X];le===void 0&&(le={type:void 0,texture:void 0},ee[X]=le),(le.type!==C||le.texture!==K)&&(Q!==X&&(n.activeTexture(X),Q=X),n.bindTexture(C,K||Ee[C]),le.type=C,le.texture=K)}function D(){let C=ee[Q];C!==void 0&&C.type!==void 0&&(n.bindTexture(C.type,null),C.type=void 0,C.texture=void 0)}function ci(){try{n.compressedTexImage2D(...arguments)}catch(C){De("WebGLState:",C)}}function at(){try{n.compressedTexImage3D(...arguments)}catch(C){De("WebGLState:",C)}}function lt(){try{n.texSubImage2D(...arguments)}catch(C){De("WebGLState:",C)}}function fe(){try{n.texSubImage3D(...arguments)}catch(C){De("WebGLState:",C)}}function xt(){try{n.compressedTexSubImage2D(...arguments)}catch(C){De("WebGLState:",C)}}function Ce(){try{n.compressedTexSubImage3D(...arguments)}catch(C){De("WebGLState:",C)}}function Ue(){try{n.texStorage2D(...arguments)}catch(C){De("WebGLState:",C)}}function w(){try{n.texStorage3D(...arguments)}catch(C){De("WebGLState:",C)}}function y(){try{n.texImage2D(...arguments)}catch(C){De("WebGLState:",C)}}function B(){try{n.texImage3D(...arguments)}catch(C){De("WebGLState:",C)}}function te(C){return u[C]!==void 0?u[C]:n.getParameter(C)}function j(C,K){u[C]!==K&&(n.pixelStorei(C,K),u[C]=K)}function re(C){J.equals(C)===!1&&(n.scissor(C.x,C.y,C.z,C.w),J.copy(C))}function ce(C){me.equals(C)===!1&&(n.viewport(C.x,C.y,C.z,C.w),me.copy(C))}function $(C,K){let X=l.get(K);X===void 0&&(X=new WeakMap,l.set(K,X));let le=X.get(C);le===void 0&&(le=n.getUniformBlockIndex(K,C.name),n.uniformBlockBinding(K,le,le),X.set(C,le))}function Z(C,K,X){let se=l.get(K).get(C);h[se]!==X&&(n.bindBufferBase(n.UNIFORM_BUFFER,se,X),h[se]=X)}function ae(){n.disable(n.BLEND),n.disable(n.CULL_FACE),n.disable(n.DEPTH_TEST),n.disable(n.POLYGON_OFFSET_FILL),n.disable(n.SCISSOR_TEST),n.disable(n.STENCIL_TEST),n.disable(n.SAMPLE_ALPHA_TO_COVERAGE),n.blendEquation(n.FUNC_ADD),n.blendFunc(n.ONE,n.ZERO),n.blendFuncSeparate(n.ONE,n.ZERO,n.ONE,n.ZERO),n.blendColor(0,0,0,0),n.colorMask(!0,!0,!0,!0),n.clearColor(0,0,0,0),n.depthMask(!0),n.depthFunc(n.LESS),o.setReversed(!1),n.clearDepth(1),n.stencilMask(4294967295),n.stencilFunc(n.ALWAYS,0,4294967295),n.stencilOp(n.KEEP,n.KEEP,n.KEEP),n.clearStencil(0),n.cullFace(n.BACK),n.frontFace(n.CCW),n.polygonOffset(0,0),n.activeTexture(n.TEXTURE0),n.bindFramebuffer(n.FRAMEBUFFER,null),n.bindFramebuffer(n.DRAW_FRAMEBUFFER,null),n.bindFramebuffer(n.READ_FRAMEBUFFER,null),n.useProgram(null),n.lineWidth(1),n.scissor(0,0,n.canvas.width,n.canvas.height),n.viewport(0,0,n.canvas.width,n.canvas.height),n.pixelStorei(n.PACK_ALIGNMENT,4),n.pixelStorei(n.UNPACK_ALIGNMENT,4),n.pixelStorei(n.UNPACK_FLIP_Y_WEBGL,!1),n.pixelStorei(n.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),n.pixelStorei(n.UNPACK_COLORSPACE_CONVERSION_WEBGL,n.BROWSER_DEFAULT_WEBGL),n.pixelStorei(n.PACK_ROW_LENGTH,0),n.pixelStorei(n.PACK_SKIP_PIXELS,0),n.pixelStorei(n.PACK_SKIP_ROWS,0),n.pixelStorei(n.UNPACK_ROW_LENGTH,0),n.pixelStorei(n.UNPACK_IMAGE_HEIGHT,0),n.pixelStorei(n.UNPACK_SKIP_PIXELS,0),n.pixelStorei(n.UNPACK_SKIP_ROWS,0),n.pixelStorei(n.UNPACK_SKIP_IMAGES,0),c={},u={},Q=null,ee={},d={},h={},f=new WeakMap,p=[],_=null,m=!1,g=null,M=null,T=null,v=null,E=null,A=null,x=null,S=new Pe(0,0,0),U=0,I=!1,N=null,F=null,G=null,P=null,V=null,J.set(0,0,n.canvas.width,n.canvas.height),me.set(0,0,n.canvas.width,n.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:ge,disable:ze,bindFramebuffer:dt,drawBuffers:Ie,useProgram:je,setBlending:Et,setMaterial:gt,setFlipSided:$t,setCullFace:ht,setLineWidth:Ti,setPolygonOffset:Mt,setScissorTest:ai,activeTexture:li,bindTexture:hi,unbindTexture:D,compressedTexImage2D:ci,compressedTexImage3D:at,texImage2D:y,texImage3D:B,pixelStorei:j,getParameter:te,updateUBOMapping:$,uniformBlockBinding:Z,texStorage2D:Ue,texStorage3D:w,texSubImage2D:lt,texSubImage3D:fe,compressedTexSubImage2D:xt,compressedTexSubImage3D:Ce,scissor:re,viewport:ce,reset:ae}}function By(n,e,t,i,s,r,o){let a=e.has("WEBGL_multisampled_render_to_texture")?e.get("WEBGL_multisampled_render_to_texture"):null,h=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),l=new Te,c=new WeakMap,u=new Set,d,f=new WeakMap,p=new Set,_=new FinalizationRegistry(w=>p.delete(w)),m=!1;try{m=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function g(w,y){return m?new OffscreenCanvas(w,y):ks("canvas")}function M(w,y,B){let te=1,j=Ue(w);if((j.width>B||j.height>B)&&(te=B/Math.max(j.width,j.height)),te<1)if(typeof HTMLImageElement<"u"&&w instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&w instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&w instanceof ImageBitmap||typeof VideoFrame<"u"&&w instanceof VideoFrame){let re=Math.floor(te*j.width),ce=Math.floor(te*j.height);d===void 0&&(d=g(re,ce));let $=y?g(re,ce):d;return $.width=re,$.height=ce,$.getContext("2d").drawImage(w,0,0,re,ce),Re("WebGLRenderer: Texture has been resized from ("+j.width+"x"+j.height+") to ("+re+"x"+ce+")."),$}else return"data"in w&&Re("WebGLRenderer: Image in DataTexture is too big ("+j.width+"x"+j.height+")."),w;return w}function T(w){return w.generateMipmaps}function v(w){n.generateMipmap(w)}function E(w){return w.isWebGLCubeRenderTarget?n.TEXTURE_CUBE_MAP:w.isWebGL3DRenderTarget?n.TEXTURE_3D:w.isWebGLArrayRenderTarget||w.isCompressedArrayTexture?n.TEXTURE_2D_ARRAY:n.TEXTURE_2D}function A(w,y,B,te,j,re=!1){if(w!==null){if(n[w]!==void 0)return n[w];Re("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+w+"'")}let ce;te&&(ce=e.get("EXT_texture_norm16"),ce||Re("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let $=y;if(y===n.RED&&(B===n.FLOAT&&($=n.R32F),B===n.HALF_FLOAT&&($=n.R16F),B===n.UNSIGNED_BYTE&&($=n.R8),B===n.UNSIGNED_SHORT&&ce&&($=ce.R16_EXT),B===n.SHORT&&ce&&($=ce.R16_SNORM_EXT)),y===n.RED_INTEGER&&(B===n.UNSIGNED_BYTE&&($=n.R8UI),B===n.UNSIGNED_SHORT&&($=n.R16UI),B===n.UNSIGNED_INT&&($=n.R32UI),B===n.BYTE&&($=n.R8I),B===n.SHORT&&($=n.R16I),B===n.INT&&($=n.R32I)),y===n.RG&&(B===n.FLOAT&&($=n.RG32F),B===n.HALF_FLOAT&&($=n.RG16F),B===n.UNSIGNED_BYTE&&($=n.RG8),B===n.UNSIGNED_SHORT&&ce&&($=ce.RG16_EXT),B===n.SHORT&&ce&&($=ce.RG16_SNORM_EXT)),y===n.RG_INTEGER&&(B===n.UNSIGNED_BYTE&&($=n.RG8UI),B===n.UNSIGNED_SHORT&&($=n.RG16UI),B===n.UNSIGNED_INT&&($=n.RG32UI),B===n.BYTE&&($=n.RG8I),B===n.SHORT&&($=n.RG16I),B===n.INT&&($=n.RG32I)),y===n.RGB_INTEGER&&(B===n.UNSIGNED_BYTE&&($=n.RGB8UI),B===n.UNSIGNED_SHORT&&($=n.RGB16UI),B===n.UNSIGNED_INT&&($=n.RGB32UI),B===n.BYTE&&($=n.RGB8I),B===n.SHORT&&($=n.RGB16I),B===n.INT&&($=n.RGB32I)),y===n.RGBA_INTEGER&&(B===n.UNSIGNED_BYTE&&($=n.RGBA8UI),B===n.UNSIGNED_SHORT&&($=n.RGBA16UI),B===n.UNSIGNED_INT&&($=n.RGBA32UI),B===n.BYTE&&($=n.RGBA8I),B===n.SHORT&&($=n.RGBA16I),B===n.INT&&($=n.RGBA32I)),y===n.RGB&&(B===n.UNSIGNED_SHORT&&ce&&($=ce.RGB16_EXT),B===n.SHORT&&ce&&($=ce.RGB16_SNORM_EXT),B===n.UNSIGNED_INT_5_9_9_9_REV&&($=n.RGB9_E5),B===n.UNSIGNED_INT_10F_11F_11F_REV&&($=n.R11F_G11F_B10F)),y===n.RGBA){let Z=re?Bs:qe.getTransfer(j);B===n.FLOAT&&($=n.RGBA32F),B===n.HALF_FLOAT&&($=n.RGBA16F),B===n.UNSIGNED_BYTE&&($=Z===Je?n.SRGB8_ALPHA8:n.RGBA8),B===n.UNSIGNED_SHORT&&ce&&($=ce.RGBA16_EXT),B===n.SHORT&&ce&&($=ce.RGBA16_SNORM_EXT),B===n.UNSIGNED_SHORT_4_4_4_4&&($=n.RGBA4),B===n.UNSIGNED_SHORT_5_5_5_1&&($=n.RGB5_A1)}return($===n.R16F||$===n.R32F||$===n.RG16F||$===n.RG32F||$===n.RGBA16F||$===n.RGBA32F)&&e.get("EXT_color_buffer_float"),$}function x(w,y){let B;return w?y===null||y===vi||y===Ln?B=n.DEPTH24_STENCIL8:y===pi?B=n.DEPTH32F_STENCIL8:y===gs&&(B=n.DEPTH24_STENCIL8,Re("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):y===null||y===vi||y===Ln?B=n.DEPTH_COMPONENT24:y===pi?B=n.DEPTH_COMPONENT32F:y===gs&&(B=n.DEPTH_COMPONENT16),B}function S(w,y){return T(w)===!0||w.isFramebufferTexture&&w.minFilter!==At&&w.minFilter!==Wt?Math.log2(Math.max(y.width,y.height))+1:w.mipmaps.length>0?w.mipmaps.length:w.isCompressedTexture&&Array.isArray(w.image)?y.mipmaps.length:1}function U(w){let y=new WeakRef(w);i.get(w).__ref=y,p.add(y),_.register(w,y,y)}function I(w){let y=i.get(w).__ref;y!==void 0&&(p.delete(y),_.unregister(y))}function N(w){G(w.target)}function F(w){P(w.target)}function G(w){w.removeEventListener("dispose",N),I(w),Y(w),w.isVideoTexture&&c.delete(w),w.isHTMLTexture&&u.delete(w)}function P(w){w.removeEventListener("dispose",F),I(w),ie(w)}function V(){for(let w of p){let y=w.deref();y!==void 0&&(y.isRenderTarget===!0?P(y):G(y))}p.clear(),u.clear()}function Y(w){let y=i.get(w);if(y.__webglInit===void 0)return;let B=w.source,te=f.get(B);if(te){let j=te[y.__cacheKey];j.usedTimes--,j.usedTimes===0&&H(w),Object.keys(te).length===0&&f.delete(B)}i.remove(w)}function H(w){let y=i.get(w);n.deleteTexture(y.__webglTexture);let B=w.source,te=f.get(B);delete te[y.__cacheKey],o.memory.textures--}function ie(w){let y=i.get(w);y.__depthDisposeCallback&&y.__depthDisposeCallback();let B=w.depthTexture;if(B&&B.renderTarget===w&&G(B),w.isWebGLCubeRenderTarget)for(let j=0;j<6;j++){if(Array.isArray(y.__webglFramebuffer[j]))for(let re=0;re<y.__webglFramebuffer[j].length;re++)n.deleteFramebuffer(y.__webglFramebuffer[j][re]);else n.deleteFramebuffer(y.__webglFramebuffer[j]);y.__webglDepthbuffer&&n.deleteRenderbuffer(y.__webglDepthbuffer[j])}else{if(Array.isArray(y.__webglFramebuffer))for(let j=0;j<y.__webglFramebuffer.length;j++)n.deleteFramebuffer(y.__webglFramebuffer[j]);else n.deleteFramebuffer(y.__webglFramebuffer);if(y.__webglDepthbuffer&&n.deleteRenderbuffer(y.__webglDepthbuffer),y.__webglMultisampledFramebuffer&&n.deleteFramebuffer(y.__webglMultisampledFramebuffer),y.__webglColorRenderbuffer)for(let j=0;j<y.__webglColorRenderbuffer.length;j++)y.__webglColorRenderbuffer[j]&&n.deleteRenderbuffer(y.__webglColorRenderbuffer[j]);y.__webglDepthRenderbuffer&&n.deleteRenderbuffer(y.__webglDepthRenderbuffer)}let te=w.textures;for(let j=0,re=te.length;j<re;j++){let ce=i.get(te[j]);ce.__webglTexture&&(n.deleteTexture(ce.__webglTexture),o.memory.textures--),i.remove(te[j])}i.remove(w)}let q=0;function Q(){q=0}function ee(){return q}function Se(w){q=w}function Oe(){let w=q;return w>=s.maxTextures&&Re("WebGLTextures: Trying to use "+(w+1)+" texture units while this GPU supports only "+s.maxTextures),q+=1,w}function J(w){let y=[];return y.push(w.wrapS),y.push(w.wrapT),y.push(w.wrapR||0),y.push(w.magFilter),y.push(w.minFilter),y.push(w.anisotropy),y.push(w.internalFormat),y.push(w.format),y.push(w.type),y.push(w.generateMipmaps),y.push(w.mipmapsAutoUpdate),y.push(w.premultiplyAlpha),y.push(w.flipY),y.push(w.unpackAlignment),y.push(w.colorSpace),y.join()}function me(w,y){let B=i.get(w);if(w.isVideoTexture&&xt(w),w.isRenderTargetTexture===!1&&w.isExternalTexture!==!0&&w.version>0&&B.__version!==w.version){let te=w.image;if(te===null)Re("WebGLRenderer: Texture marked for update but no image data found.");else if(te.complete===!1)Re("WebGLRenderer: Texture marked for update but image is incomplete");else{gt(B,w,y);return}}else w.isExternalTexture&&(B.__webglTexture=w.sourceTexture?w.sourceTexture:null);t.bindTexture(n.TEXTURE_2D,B.__webglTexture,n.TEXTURE0+y)}function _e(w,y){let B=i.get(w);if(w.isRenderTargetTexture===!1&&w.version>0&&B.__version!==w.version){gt(B,w,y);return}else w.isExternalTexture&&(B.__webglTexture=w.sourceTexture?w.sourceTexture:null);t.bindTexture(n.TEXTURE_2D_ARRAY,B.__webglTexture,n.TEXTURE0+y)}function Ee(w,y){let B=i.get(w);if(w.isRenderTargetTexture===!1&&w.version>0&&B.__version!==w.version){gt(B,w,y);return}t.bindTexture(n.TEXTURE_3D,B.__webglTexture,n.TEXTURE0+y)}function ge(w,y){let B=i.get(w);if(w.version>0&&B.__version!==w.version){$t(B,w,y);return}t.bindTexture(n.TEXTURE_CUBE_MAP,B.__webglTexture,n.TEXTURE0+y)}let ze={[uo]:n.REPEAT,[Ci]:n.CLAMP_TO_EDGE,[fo]:n.MIRRORED_REPEAT},dt={[At]:n.NEAREST,[Fu]:n.NEAREST_MIPMAP_NEAREST,[lr]:n.NEAREST_MIPMAP_LINEAR,[Wt]:n.LINEAR,[zo]:n.LINEAR_MIPMAP_NEAREST,[Wi]:n.LINEAR_MIPMAP_LINEAR},Ie={[Gu]:n.NEVER,[yh]:n.ALWAYS,[Hu]:n.LESS,[gh]:n.LEQUAL,[Vu]:n.EQUAL,[xh]:n.GEQUAL,[Wu]:n.GREATER,[Xu]:n.NOTEQUAL};function je(w,y){if(y.type===pi&&e.has("OES_texture_float_linear")===!1&&(y.magFilter===Wt||y.magFilter===zo||y.magFilter===lr||y.magFilter===Wi||y.minFilter===Wt||y.minFilter===zo||y.minFilter===lr||y.minFilter===Wi)&&Re("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),n.texParameteri(w,n.TEXTURE_WRAP_S,ze[y.wrapS]),n.texParameteri(w,n.TEXTURE_WRAP_T,ze[y.wrapT]),(w===n.TEXTURE_3D||w===n.TEXTURE_2D_ARRAY)&&n.texParameteri(w,n.TEXTURE_WRAP_R,ze[y.wrapR]),n.texParameteri(w,n.TEXTURE_MAG_FILTER,dt[y.magFilter]),n.texParameteri(w,n.TEXTURE_MIN_FILTER,dt[y.minFilter]),y.compareFunction&&(n.texParameteri(w,n.TEXTURE_COMPARE_MODE,n.COMPARE_REF_TO_TEXTURE),n.texParameteri(w,n.TEXTURE_COMPARE_FUNC,Ie[y.compareFunction])),e.has("EXT_texture_filter_anisotropic")===!0){if(y.magFilter===At||y.minFilter!==lr&&y.minFilter!==Wi||y.type===pi&&e.has("OES_texture_float_linear")===!1)return;if(y.anisotropy>1||i.get(y).__currentAnisotropy){let B=e.get("EXT_texture_filter_anisotropic");n.texParameterf(w,B.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(y.anisotropy,s.getMaxAnisotropy())),i.get(y).__currentAnisotropy=y.anisotropy}}}function tt(w,y){let B=!1;w.__webglInit===void 0&&(w.__webglInit=!0,y.addEventListener("dispose",N),U(y));let te=y.source,j=f.get(te);j===void 0&&(j={},f.set(te,j));let re=J(y);if(re!==w.__cacheKey){j[re]===void 0&&(j[re]={texture:n.createTexture(),usedTimes:0},o.memory.textures++,B=!0),j[re].usedTimes++;let ce=j[w.__cacheKey];ce!==void 0&&(j[w.__cacheKey].usedTimes--,ce.usedTimes===0&&H(y)),w.__cacheKey=re,w.__webglTexture=j[re].texture}return B}function Ve(w,y,B){return Math.floor(Math.floor(w/B)/y)}function Et(w,y,B,te){let re=w.updateRanges;if(re.length===0)t.texSubImage2D(n.TEXTURE_2D,0,0,0,y.width,y.height,B,te,y.data);else{re.sort((C,K)=>C.start-K.start);let ce=0;for(let C=1;C<re.length;C++){let K=re[ce],X=re[C],le=K.start+K.count,se=Ve(X.start,y.width,4),oe=Ve(K.start,y.width,4);X.start<=le+1&&se===oe&&Ve(X.start+X.count-1,y.width,4)===se?K.count=Math.max(K.count,X.start+X.count-K.start):(++ce,re[ce]=X)}re.length=ce+1;let $=t.getParameter(n.UNPACK_ROW_LENGTH),Z=t.getParameter(n.UNPACK_SKIP_PIXELS),ae=t.getParameter(n.UNPACK_SKIP_ROWS);t.pixelStorei(n.UNPACK_ROW_LENGTH,y.width);for(let C=0,K=re.length;C<K;C++){let X=re[C],le=Math.floor(X.start/4),se=Math.ceil(X.count/4),oe=le%y.width,we=Math.floor(le/y.width),Ge=se,ne=1;t.pixelStorei(n.UNPACK_SKIP_PIXELS,oe),t.pixelStorei(n.UNPACK_SKIP_ROWS,we),t.texSubImage2D(n.TEXTURE_2D,0,oe,we,Ge,ne,B,te,y.data)}w.clearUpdateRanges(),t.pixelStorei(n.UNPACK_ROW_LENGTH,$),t.pixelStorei(n.UNPACK_SKIP_PIXELS,Z),t.pixelStorei(n.UNPACK_SKIP_ROWS,ae)}}function gt(w,y,B){let te=n.TEXTURE_2D;(y.isDataArrayTexture||y.isCompressedArrayTexture)&&(te=n.TEXTURE_2D_ARRAY),y.isData3DTexture&&(te=n.TEXTURE_3D);let j=tt(w,y),re=y.source;t.bindTexture(te,w.__webglTexture,n.TEXTURE0+B);let ce=i.get(re);if(re.version!==ce.__version||j===!0){if(t.activeTexture(n.TEXTURE0+B),(typeof ImageBitmap<"u"&&y.image instanceof ImageBitmap)===!1){let ne=qe.getPrimaries(qe.workingColorSpace),Ae=y.colorSpace===qi?null:qe.getPrimaries(y.colorSpace),ke=y.colorSpace===qi||ne===Ae?n.NONE:n.BROWSER_DEFAULT_WEBGL;t.pixelStorei(n.UNPACK_FLIP_Y_WEBGL,y.flipY),t.pixelStorei(n.UNPACK_PREMULTIPLY_ALPHA_WEBGL,y.premultiplyAlpha),t.pixelStorei(n.UNPACK_COLORSPACE_CONVERSION_WEBGL,ke)}t.pixelStorei(n.UNPACK_ALIGNMENT,y.unpackAlignment);let Z=M(y.image,!1,s.maxTextureSize);Z=Ce(y,Z);let ae=r.convert(y.format,y.colorSpace),C=r.convert(y.type),K=A(y.internalFormat,ae,C,y.normalized,y.colorSpace,y.isVideoTexture);je(te,y);let X,le=y.mipmaps,se=y.isVideoTexture!==!0,oe=ce.__version===void 0||j===!0,we=re.dataReady,Ge=S(y,Z);if(y.isDepthTexture)K=x(y.format===Xi,y.type),oe&&(se?t.texStorage2D(n.TEXTURE_2D,1,K,Z.width,Z.height):t.texImage2D(n.TEXTURE_2D,0,K,Z.width,Z.height,0,ae,C,null));else if(y.isDataTexture)if(le.length>0){se&&oe&&t.texStorage2D(n.TEXTURE_2D,Ge,K,le[0].width,le[0].height);for(let ne=0,Ae=le.length;ne<Ae;ne++)X=le[ne],se?we&&t.texSubImage2D(n.TEXTURE_2D,ne,0,0,X.width,X.height,ae,C,X.data):t.texImage2D(n.TEXTURE_2D,ne,K,X.width,X.height,0,ae,C,X.data);y.generateMipmaps=!1}else se?(oe&&t.texStorage2D(n.TEXTURE_2D,Ge,K,Z.width,Z.height),we&&Et(y,Z,ae,C)):t.texImage2D(n.TEXTURE_2D,0,K,Z.width,Z.height,0,ae,C,Z.data);else if(y.isCompressedTexture)if(y.isCompressedArrayTexture){se&&oe&&t.texStorage3D(n.TEXTURE_2D_ARRAY,Ge,K,le[0].width,le[0].height,Z.depth);for(let ne=0,Ae=le.length;ne<Ae;ne++)if(X=le[ne],y.format!==Ai)if(ae!==null)if(se){if(we)if(y.layerUpdates.size>0){let ke=Ch(X.width,X.height,y.format,y.type);for(let pe of y.layerUpdates){let Qe=X.data.subarray(pe*ke/X.data.BYTES_PER_ELEMENT,(pe+1)*ke/X.data.BYTES_PER_ELEMENT);t.compressedTexSubImage3D(n.TEXTURE_2D_ARRAY,ne,0,0,pe,X.width,X.height,1,ae,Qe)}}else t.compressedTexSubImage3D(n.TEXTURE_2D_ARRAY,ne,0,0,0,X.width,X.height,Z.depth,ae,X.data)}else t.compressedTexImage3D(n.TEXTURE_2D_ARRAY,ne,K,X.width,X.height,Z.depth,0,X.data,0,0);else Re("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else se?we&&t.texSubImage3D(n.TEXTURE_2D_ARRAY,ne,0,0,0,X.width,X.height,Z.depth,ae,C,X.data):t.texImage3D(n.TEXTURE_2D_ARRAY,ne,K,X.width,X.height,Z.depth,0,ae,C,X.data);y.layerUpdates.size>0&&y.clearLayerUpdates()}else{se&&oe&&t.texStorage2D(n.TEXTURE_2D,Ge,K,le[0].width,le[0].height);for(let ne=0,Ae=le.length;ne<Ae;ne++)X=le[ne],y.format!==Ai?ae!==null?se?we&&t.compressedTexSubImage2D(n.TEXTURE_2D,ne,0,0,X.width,X.height,ae,X.data):t.compressedTexImage2D(n.TEXTURE_2D,ne,K,X.width,X.height,0,X.data):Re("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):se?we&&t.texSubImage2D(n.TEXTURE_2D,ne,0,0,X.width,X.height,ae,C,X.data):t.texImage2D(n.TEXTURE_2D,ne,K,X.width,X.height,0,ae,C,X.data)}else if(y.isDataArrayTexture)if(se){if(oe&&t.texStorage3D(n.TEXTURE_2D_ARRAY,Ge,K,Z.width,Z.height,Z.depth),we)if(y.layerUpdates.size>0){let ne=Ch(Z.width,Z.height,y.format,y.type);for(let Ae of y.layerUpdates){let ke=Z.data.subarray(Ae*ne/Z.data.BYTES_PER_ELEMENT,(Ae+1)*ne/Z.data.BYTES_PER_ELEMENT);t.texSubImage3D(n.TEXTURE_2D_ARRAY,0,0,0,Ae,Z.width,Z.height,1,ae,C,ke)}y.clearLayerUpdates()}else t.texSubImage3D(n.TEXTURE_2D_ARRAY,0,0,0,0,Z.width,Z.height,Z.depth,ae,C,Z.data)}else t.texImage3D(n.TEXTURE_2D_ARRAY,0,K,Z.width,Z.height,Z.depth,0,ae,C,Z.data);else if(y.isData3DTexture)se?(oe&&t.texStorage3D(n.TEXTURE_3D,Ge,K,Z.width,Z.height,Z.depth),we&&t.texSubImage3D(n.TEXTURE_3D,0,0,0,0,Z.width,Z.height,Z.depth,ae,C,Z.data)):t.texImage3D(n.TEXTURE_3D,0,K,Z.width,Z.height,Z.depth,0,ae,C,Z.data);else if(y.isFramebufferTexture){if(oe)if(se)t.texStorage2D(n.TEXTURE_2D,Ge,K,Z.width,Z.height);else{let ne=Z.width,Ae=Z.height;for(let ke=0;ke<Ge;ke++)t.texImage2D(n.TEXTURE_2D,ke,K,ne,Ae,0,ae,C,null),ne>>=1,Ae>>=1}}else if(y.isHTMLTexture){if("texElementImage2D"in n){let ne=n.canvas;if(ne.hasAttribute("layoutsubtree")||ne.setAttribute("layoutsubtree","true"),Z.parentNode!==ne){ne.appendChild(Z),u.add(y),ne.onpaint=Ae=>{let ke=Ae.changedElements;for(let pe of u)ke.includes(pe.image)&&(pe.needsUpdate=!0)},ne.requestPaint();return}if(n.texElementImage2D.length===3)n.texElementImage2D(n.TEXTURE_2D,n.RGBA8,Z);else{let ke=n.RGBA,pe=n.RGBA,Qe=n.UNSIGNED_BYTE;n.texElementImage2D(n.TEXTURE_2D,0,ke,pe,Qe,Z)}n.texParameteri(n.TEXTURE_2D,n.TEXTURE_MIN_FILTER,n.LINEAR),n.texParameteri(n.TEXTURE_2D,n.TEXTURE_WRAP_S,n.CLAMP_TO_EDGE),n.texParameteri(n.TEXTURE_2D,n.TEXTURE_WRAP_T,n.CLAMP_TO_EDGE)}}else if(le.length>0){if(se&&oe){let ne=Ue(le[0]);t.texStorage2D(n.TEXTURE_2D,Ge,K,ne.width,ne.height)}for(let ne=0,Ae=le.length;ne<Ae;ne++)X=le[ne],se?we&&t.texSubImage2D(n.TEXTURE_2D,ne,0,0,ae,C,X):t.texImage2D(n.TEXTURE_2D,ne,K,ae,C,X);y.generateMipmaps=!1}else if(se){if(oe){let ne=Ue(Z);t.texStorage2D(n.TEXTURE_2D,Ge,K,ne.width,ne.height)}we&&t.texSubImage2D(n.TEXTURE_2D,0,0,0,ae,C,Z)}else t.texImage2D(n.TEXTURE_2D,0,K,ae,C,Z);T(y)&&y.mipmapsAutoUpdate===!0&&v(te),ce.__version=re.version,y.onUpdate&&y.onUpdate(y)}w.__version=y.version}function $t(w,y,B){if(y.image.length!==6)return;let te=tt(w,y),j=y.source;t.bindTexture(n.TEXTURE_CUBE_MAP,w.__webglTexture,n.TEXTURE0+B);let re=i.get(j);if(j.version!==re.__version||te===!0){t.activeTexture(n.TEXTURE0+B);let ce=qe.getPrimaries(qe.workingColorSpace),$=y.colorSpace===qi?null:qe.getPrimaries(y.colorSpace),Z=y.colorSpace===qi||ce===$?n.NONE:n.BROWSER_DEFAULT_WEBGL;t.pixelStorei(n.UNPACK_FLIP_Y_WEBGL,y.flipY),t.pixelStorei(n.UNPACK_PREMULTIPLY_ALPHA_WEBGL,y.premultiplyAlpha),t.pixelStorei(n.UNPACK_ALIGNMENT,y.unpackAlignment),t.pixelStorei(n.UNPACK_COLORSPACE_CONVERSION_WEBGL,Z);let ae=y.isCompressedTexture||y.image[0].isCompressedTexture,C=y.image[0]&&y.image[0].isDataTexture,K=[];for(let pe=0;pe<6;pe++)!ae&&!C?K[pe]=M(y.image[pe],!0,s.maxCubemapSize):K[pe]=C?y.image[pe].image:y.image[pe],K[pe]=Ce(y,K[pe]);let X=K[0],le=r.convert(y.format,y.colorSpace),se=r.convert(y.type),oe=A(y.internalFormat,le,se,y.normalized,y.colorSpace),we=y.isVideoTexture!==!0,Ge=re.__version===void 0||te===!0,ne=j.dataReady,Ae=S(y,X);je(n.TEXTURE_CUBE_MAP,y);let ke;if(y.isDepthTexture){if(oe=x(y.format===Xi,y.type),Ge)if(we)t.texStorage2D(n.TEXTURE_CUBE_MAP,1,oe,X.width,X.height);else for(let pe=0;pe<6;pe++)t.texImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+pe,0,oe,X.width,X.height,0,le,se,null)}else if(ae){we&&Ge&&t.texStorage2D(n.TEXTURE_CUBE_MAP,Ae,oe,X.width,X.height);for(let pe=0;pe<6;pe++){ke=K[pe].mipmaps;for(let Qe=0;Qe<ke.length;Qe++){let St=ke[Qe];y.format!==Ai?le!==null?we?ne&&t.compressedTexSubImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+pe,Qe,0,0,St.width,St.height,le,St.data):t.compressedTexImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+pe,Qe,oe,St.width,St.height,0,St.data):Re("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):we?ne&&t.texSubImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+pe,Qe,0,0,St.width,St.height,le,se,St.data):t.texImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+pe,Qe,oe,St.width,St.height,0,le,se,St.data)}}}else{if(ke=y.mipmaps,we&&Ge){ke.length>0&&Ae++;let pe=Ue(K[0]);t.texStorage2D(n.TEXTURE_CUBE_MAP,Ae,oe,pe.width,pe.height)}for(let pe=0;pe<6;pe++)if(C){we?ne&&t.texSubImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+pe,0,0,0,K[pe].width,K[pe].height,le,se,K[pe].data):t.texImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+pe,0,oe,K[pe].width,K[pe].height,0,le,se,K[pe].data);for(let Qe=0;Qe<ke.length;Qe++){let Ji=ke[Qe].image[pe].image;we?ne&&t.texSubImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+pe,Qe+1,0,0,Ji.width,Ji.height,le,se,Ji.data):t.texImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+pe,Qe+1,oe,Ji.width,Ji.height,0,le,se,Ji.data)}}else{we?ne&&t.texSubImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+pe,0,0,0,le,se,K[pe]):t.texImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+pe,0,oe,le,se,K[pe]);for(let Qe=0;Qe<ke.length;Qe++){let St=ke[Qe];we?ne&&t.texSubImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+pe,Qe+1,0,0,le,se,St.image[pe]):t.texImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+pe,Qe+1,oe,le,se,St.image[pe])}}}T(y)&&y.mipmapsAutoUpdate===!0&&v(n.TEXTURE_CUBE_MAP),re.__version=j.version,y.onUpdate&&y.onUpdate(y)}w.__version=y.version}function ht(w,y,B,te,j,re){let ce=r.convert(B.format,B.colorSpace),$=r.convert(B.type),Z=A(B.internalFormat,ce,$,B.normalized,B.colorSpace),ae=i.get(y),C=i.get(B);if(C.__renderTarget=y,!ae.__hasExternalTextures){let K=Math.max(1,y.width>>re),X=Math.max(1,y.height>>re);j===n.TEXTURE_3D||j===n.TEXTURE_2D_ARRAY?t.texImage3D(j,re,Z,K,X,y.depth,0,ce,$,null):t.texImage2D(j,re,Z,K,X,0,ce,$,null)}t.bindFramebuffer(n.FRAMEBUFFER,w),fe(y)?a.framebufferTexture2DMultisampleEXT(n.FRAMEBUFFER,te,j,C.__webglTexture,0,lt(y)):(j===n.TEXTURE_2D||j>=n.TEXTURE_CUBE_MAP_POSITIVE_X&&j<=n.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&n.framebufferTexture2D(n.FRAMEBUFFER,te,j,C.__webglTexture,re),t.bindFramebuffer(n.FRAMEBUFFER,null)}function Ti(w,y,B){if(n.bindRenderbuffer(n.RENDERBUFFER,w),y.depthBuffer){let te=y.depthTexture,j=te&&te.isDepthTexture?te.type:null,re=x(y.stencilBuffer,j),ce=y.stencilBuffer?n.DEPTH_STENCIL_ATTACHMENT:n.DEPTH_ATTACHMENT;fe(y)?a.renderbufferStorageMultisampleEXT(n.RENDERBUFFER,lt(y),re,y.width,y.height):B?n.renderbufferStorageMultisample(n.RENDERBUFFER,lt(y),re,y.width,y.height):n.renderbufferStorage(n.RENDERBUFFER,re,y.width,y.height),n.framebufferRenderbuffer(n.FRAMEBUFFER,ce,n.RENDERBUFFER,w)}else{let te=y.textures;for(let j=0;j<te.length;j++){let re=te[j],ce=r.convert(re.format,re.colorSpace),$=r.convert(re.type),Z=A(re.internalFormat,ce,$,re.normalized,re.colorSpace);fe(y)?a.renderbufferStorageMultisampleEXT(n.RENDERBUFFER,lt(y),Z,y.width,y.height):B?n.renderbufferStorageMultisample(n.RENDERBUFFER,lt(y),Z,y.width,y.height):n.renderbufferStorage(n.RENDERBUFFER,Z,y.width,y.height)}}n.bindRenderbuffer(n.RENDERBUFFER,null)}function Mt(w,y,B){let te=y.isWebGLCubeRenderTarget===!0;if(t.bindFramebuffer(n.FRAMEBUFFER,w),!(y.depthTexture&&y.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let j=i.get(y.depthTexture);j.__renderTarget=y;let re=te?y.depthTexture.image[0]:y.depthTexture.image;(!j.__webglTexture||re.width!==y.width||re.height!==y.height)&&(re.width=y.width,re.height=y.height,y.depthTexture.needsUpdate=!0),te?ge(y.depthTexture,0):me(y.depthTexture,0);let ce=j.__webglTexture,$=lt(y),Z=te?n.TEXTURE_CUBE_MAP_POSITIVE_X+B:n.TEXTURE_2D,ae=y.depthTexture.format===Xi?n.DEPTH_STENCIL_ATTACHMENT:n.DEPTH_ATTACHMENT;if(y.depthTexture.format===Hi)fe(y)?a.framebufferTexture2DMultisampleEXT(n.FRAMEBUFFER,ae,Z,ce,0,$):n.framebufferTexture2D(n.FRAMEBUFFER,ae,Z,ce,0);else if(y.depthTexture.format===Xi)fe(y)?a.framebufferTexture2DMultisampleEXT(n.FRAMEBUFFER,ae,Z,ce,0,$):n.framebufferTexture2D(n.FRAMEBUFFER,ae,Z,ce,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function ai(w){let y=i.get(w),B=w.isWebGLCubeRenderTarget===!0;if(y.__boundDepthTexture!==w.depthTexture){let te=w.depthTexture;if(y.__depthDisposeCallback&&y.__depthDisposeCallback(),te){let j=()=>{delete y.__boundDepthTexture,delete y.__depthDisposeCallback,te.removeEventListener("dispose",j)};te.addEventListener("dispose",j),y.__depthDisposeCallback=j}y.__boundDepthTexture=te}if(w.depthTexture&&!y.__autoAllocateDepthBuffer)if(B)for(let te=0;te<6;te++)Mt(y.__webglFramebuffer[te],w,te);else w.texture.mipmaps.length>0?Mt(y.__webglFramebuffer[0],w,0):Mt(y.__webglFramebuffer,w,0);else if(B){y.__webglDepthbuffer=[];for(let te=0;te<6;te++)if(t.bindFramebuffer(n.FRAMEBUFFER,y.__webglFramebuffer[te]),y.__webglDepthbuffer[te]===void 0)y.__webglDepthbuffer[te]=n.createRenderbuffer(),Ti(y.__webglDepthbuffer[te],w,!1);else{let j=w.stencilBuffer?n.DEPTH_STENCIL_ATTACHMENT:n.DEPTH_ATTACHMENT,re=y.__webglDepthbuffer[te];n.bindRenderbuffer(n.RENDERBUFFER,re),n.framebufferRenderbuffer(n.FRAMEBUFFER,j,n.RENDERBUFFER,re)}}else if(w.texture.mipmaps.length>0?t.bindFramebuffer(n.FRAMEBUFFER,y.__webglFramebuffer[0]):t.bindFramebuffer(n.FRAMEBUFFER,y.__webglFramebuffer),y.__webglDepthbuffer===void 0)y.__webglDepthbuffer=n.createRenderbuffer(),Ti(y.__webglDepthbuffer,w,!1);else{let j=w.stencilBuffer?n.DEPTH_STENCIL_ATTACHMENT:n.DEPTH_ATTACHMENT,re=y.__webglDepthbuffer;n.bindRenderbuffer(n.RENDERBUFFER,re),n.framebufferRenderbuffer(n.FRAMEBUFFER,j,n.RENDERBUFFER,re)}t.bindFramebuffer(n.FRAMEBUFFER,null)}function li(w,y,B){let te=i.get(w);y!==void 0&&ht(te.__webglFramebuffer,w,w.texture,n.COLOR_ATTACHMENT0,n.TEXTURE_2D,0),B!==void 0&&ai(w)}function hi(w){let y=w.texture,B=i.get(w),te=i.get(y);w.addEventListener("dispose",F),U(w);let j=w.textures,re=w.isWebGLCubeRenderTarget===!0,ce=j.length>1;if(ce||(te.__webglTexture===void 0&&(te.__webglTexture=n.createTexture()),te.__version=y.version,o.memory.textures++),re){B.__webglFramebuffer=[];for(let $=0;$<6;$++)if(y.mipmaps.length>0){B.__webglFramebuffer[$]=[];for(let Z=0;Z<y.mipmaps.length;Z++)B.__webglFramebuffer[$][Z]=n.createFramebuffer()}else B.__webglFramebuffer[$]=n.createFramebuffer()}else{if(y.mipmaps.length>0){B.__webglFramebuffer=[];for(let $=0;$<y.mipmaps.length;$++)B.__webglFramebuffer[$]=n.createFramebuffer()}else B.__webglFramebuffer=n.createFramebuffer();if(ce)for(let $=0,Z=j.length;$<Z;$++){let ae=i.get(j[$]);ae.__webglTexture===void 0&&(ae.__webglTexture=n.createTexture(),o.memory.textures++)}if(w.samples>0&&fe(w)===!1){B.__webglMultisampledFramebuffer=n.createFramebuffer(),B.__webglColorRenderbuffer=[],t.bindFramebuffer(n.FRAMEBUFFER,B.__webglMultisampledFramebuffer);for(let $=0;$<j.length;$++){let Z=j[$];B.__webglColorRenderbuffer[$]=n.createRenderbuffer(),n.bindRenderbuffer(n.RENDERBUFFER,B.__webglColorRenderbuffer[$]);let ae=r.convert(Z.format,Z.colorSpace),C=r.convert(Z.type),K=A(Z.internalFormat,ae,C,Z.normalized,Z.colorSpace,w.isXRRenderTarget===!0),X=lt(w);n.renderbufferStorageMultisample(n.RENDERBUFFER,X,K,w.width,w.height),n.framebufferRenderbuffer(n.FRAMEBUFFER,n.COLOR_ATTACHMENT0+$,n.RENDERBUFFER,B.__webglColorRenderbuffer[$])}n.bindRenderbuffer(n.RENDERBUFFER,null),w.depthBuffer&&(B.__webglDepthRenderbuffer=n.createRenderbuffer(),Ti(B.__webglDepthRenderbuffer,w,!0)),t.bindFramebuffer(n.FRAMEBUFFER,null)}}if(re){t.bindTexture(n.TEXTURE_CUBE_MAP,te.__webglTexture),je(n.TEXTURE_CUBE_MAP,y);for(let $=0;$<6;$++)if(y.mipmaps.length>0)for(let Z=0;Z<y.mipmaps.length;Z++)ht(B.__webglFramebuffer[$][Z],w,y,n.COLOR_ATTACHMENT0,n.TEXTURE_CUBE_MAP_POSITIVE_X+$,Z);else ht(B.__webglFramebuffer[$],w,y,n.COLOR_ATTACHMENT0,n.TEXTURE_CUBE_MAP_POSITIVE_X+$,0);T(y)?v(n.TEXTURE_CUBE_MAP):y.mipmaps.length>0&&n.texParameteri(n.TEXTURE_CUBE_MAP,n.TEXTURE_MAX_LEVEL,y.mipmaps.length-1),t.unbindTexture()}else if(ce){for(let $=0,Z=j.length;$<Z;$++){let ae=j[$],C=i.get(ae),K=n.TEXTURE_2D;(w.isWebGL3DRenderTarget||w.isWebGLArrayRenderTarget)&&(K=w.isWebGL3DRenderTarget?n.TEXTURE_3D:n.TEXTURE_2D_ARRAY),t.bindTexture(K,C.__webglTexture),je(K,ae),ht(B.__webglFramebuffer,w,ae,n.COLOR_ATTACHMENT0+$,K,0),T(ae)&&v(K)}t.unbindTexture()}else{let $=n.TEXTURE_2D;if((w.isWebGL3DRenderTarget||w.isWebGLArrayRenderTarget)&&($=w.isWebGL3DRenderTarget?n.TEXTURE_3D:n.TEXTURE_2D_ARRAY),t.bindTexture($,te.__webglTexture),je($,y),y.mipmaps.length>0)for(let Z=0;Z<y.mipmaps.length;Z++)ht(B.__webglFramebuffer[Z],w,y,n.COLOR_ATTACHMENT0,$,Z);else ht(B.__webglFramebuffer,w,y,n.COLOR_ATTACHMENT0,$,0);T(y)?v($):y.mipmaps.length>0&&n.texParameteri($,n.TEXTURE_MAX_LEVEL,y.mipmaps.length-1),t.unbindTexture()}w.depthBuffer&&ai(w)}function D(w){let y=w.textures;for(let B=0,te=y.length;B<te;B++){let j=y[B];if(T(j)&&j.mipmapsAutoUpdate===!0){let re=E(w),ce=i.get(j).__webglTexture;t.bindTexture(re,ce),v(re),t.unbindTexture()}}}let ci=[];function at(w){if(w.samples>0){if(fe(w)===!1){let y=w.textures,B=w.width,te=w.height,j=n.COLOR_BUFFER_BIT,re=w.stencilBuffer?n.DEPTH_STENCIL_ATTACHMENT:n.DEPTH_ATTACHMENT,ce=i.get(w),$=y.length>1;if($)for(let ae=0;ae<y.length;ae++)t.bindFramebuffer(n.FRAMEBUFFER,ce.__webglMultisampledFramebuffer),n.framebufferRenderbuffer(n.FRAMEBUFFER,n.COLOR_ATTACHMENT0+ae,n.RENDERBUFFER,null),t.bindFramebuffer(n.FRAMEBUFFER,ce.__webglFramebuffer),n.framebufferTexture2D(n.DRAW_FRAMEBUFFER,n.COLOR_ATTACHMENT0+ae,n.TEXTURE_2D,null,0);t.bindFramebuffer(n.READ_FRAMEBUFFER,ce.__webglMultisampledFramebuffer),w.texture.mipmaps.length>0?t.bindFramebuffer(n.DRAW_FRAMEBUFFER,ce.__webglFramebuffer[0]):t.bindFramebuffer(n.DRAW_FRAMEBUFFER,ce.__webglFramebuffer);for(let ae=0;ae<y.length;ae++){if(w.resolveDepthBuffer&&(w.depthBuffer&&(j|=n.DEPTH_BUFFER_BIT),w.stencilBuffer&&w.resolveStencilBuffer&&(j|=n.STENCIL_BUFFER_BIT)),$){n.framebufferRenderbuffer(n.READ_FRAMEBUFFER,n.COLOR_ATTACHMENT0,n.RENDERBUFFER,ce.__webglColorRenderbuffer[ae]);let C=i.get(y[ae]).__webglTexture;n.framebufferTexture2D(n.DRAW_FRAMEBUFFER,n.COLOR_ATTACHMENT0,n.TEXTURE_2D,C,0)}n.blitFramebuffer(0,0,B,te,0,0,B,te,j,n.NEAREST),h===!0&&(ci.length=0,ci.push(n.COLOR_ATTACHMENT0+ae),w.depthBuffer&&w.storeMultisampledDepthBuffer===!1&&ci.push(re),n.invalidateFramebuffer(n.READ_FRAMEBUFFER,ci))}if(t.bindFramebuffer(n.READ_FRAMEBUFFER,null),t.bindFramebuffer(n.DRAW_FRAMEBUFFER,null),$)for(let ae=0;ae<y.length;ae++){t.bindFramebuffer(n.FRAMEBUFFER,ce.__webglMultisampledFramebuffer),n.framebufferRenderbuffer(n.FRAMEBUFFER,n.COLOR_ATTACHMENT0+ae,n.RENDERBUFFER,ce.__webglColorRenderbuffer[ae]);let C=i.get(y[ae]).__webglTexture;t.bindFramebuffer(n.FRAMEBUFFER,ce.__webglFramebuffer),n.framebufferTexture2D(n.DRAW_FRAMEBUFFER,n.COLOR_ATTACHMENT0+ae,n.TEXTURE_2D,C,0)}t.bindFramebuffer(n.DRAW_FRAMEBUFFER,ce.__webglMultisampledFramebuffer)}else if(w.depthBuffer&&w.storeMultisampledDepthBuffer===!1&&h){let y=w.stencilBuffer?n.DEPTH_STENCIL_ATTACHMENT:n.DEPTH_ATTACHMENT;n.invalidateFramebuffer(n.DRAW_FRAMEBUFFER,[y])}}}function lt(w){return Math.min(s.maxSamples,w.samples)}function fe(w){let y=i.get(w);return w.samples>0&&e.has("WEBGL_multisampled_render_to_texture")===!0&&y.__useRenderToTexture!==!1}function xt(w){let y=o.render.frame;c.get(w)!==y&&(c.set(w,y),w.update())}function Ce(w,y){let B=w.colorSpace,te=w.format,j=w.type;return w.isCompressedTexture===!0||w.isVideoTexture===!0||B!==Fs&&B!==qi&&(qe.getTransfer(B)===Je?(te!==Ai||j!==oi)&&Re("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):De("WebGLTextures: Unsupported texture color space:",B)),y}function Ue(w){return typeof HTMLImageElement<"u"&&w instanceof HTMLImageElement?(l.width=w.naturalWidth||w.width,l.height=w.naturalHeight||w.height):typeof VideoFrame<"u"&&w instanceof VideoFrame?(l.width=w.displayWidth,l.height=w.displayHeight):(l.width=w.width,l.height=w.height),l}this.allocateTextureUnit=Oe,this.resetTextureUnits=Q,this.getTextureUnits=ee,this.setTextureUnits=Se,this.setTexture2D=me,this.setTexture2DArray=_e,this.setTexture3D=Ee,this.setTextureCube=ge,this.rebindTextures=li,this.setupRenderTarget=hi,this.updateRenderTargetMipmap=D,this.updateMultisampleRenderTarget=at,this.setupDepthRenderbuffer=ai,this.setupFrameBufferTexture=ht,this.useMultisampledRTT=fe,this.dispose=V}function zy(n,e){function t(i,s=qi){let r,o=qe.getTransfer(s);if(i===oi)return n.UNSIGNED_BYTE;if(i===Go)return n.UNSIGNED_SHORT_4_4_4_4;if(i===Ho)return n.UNSIGNED_SHORT_5_5_5_1;if(i===uh)return n.UNSIGNED_INT_5_9_9_9_REV;if(i===dh)return n.UNSIGNED_INT_10F_11F_11F_REV;if(i===hh)return n.BYTE;if(i===ch)return n.SHORT;if(i===gs)return n.UNSIGNED_SHORT;if(i===ko)return n.INT;if(i===vi)return n.UNSIGNED_INT;if(i===pi)return n.FLOAT;if(i===wi)return n.HALF_FLOAT;if(i===fh)return n.ALPHA;if(i===ph)return n.RGB;if(i===Ai)return n.RGBA;if(i===Hi)return n.DEPTH_COMPONENT;if(i===Xi)return n.DEPTH_STENCIL;if(i===Vo)return n.RED;if(i===Wo)return n.RED_INTEGER;if(i===fn)return n.RG;if(i===Xo)return n.RG_INTEGER;if(i===qo)return n.RGBA_INTEGER;if(i===hr||i===cr||i===ur||i===dr)if(o===Je)if(r=e.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(i===hr)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(i===cr)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(i===ur)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(i===dr)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=e.get("WEBGL_compressed_texture_s3tc"),r!==null){if(i===hr)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(i===cr)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(i===ur)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(i===dr)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(i===Yo||i===$o||i===Zo||i===Jo)if(r=e.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(i===Yo)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(i===$o)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(i===Zo)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(i===Jo)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(i===Ko||i===jo||i===Qo||i===ea||i===ta||i===fr||i===ia)if(r=e.get("WEBGL_compressed_texture_etc"),r!==null){if(i===Ko||i===jo)return o===Je?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(i===Qo)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(i===ea)return r.COMPRESSED_R11_EAC;if(i===ta)return r.COMPRESSED_SIGNED_R11_EAC;if(i===fr)return r.COMPRESSED_RG11_EAC;if(i===ia)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(i===na||i===sa||i===ra||i===oa||i===aa||i===la||i===ha||i===ca||i===ua||i===da||i===fa||i===pa||i===ma||i===ga)if(r=e.get("WEBGL_compressed_texture_astc"),r!==null){if(i===na)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(i===sa)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(i===ra)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(i===oa)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(i===aa)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(i===la)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(i===ha)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(i===ca)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(i===ua)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(i===da)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(i===fa)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(i===pa)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(i===ma)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(i===ga)return o===Je?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(i===xa||i===ya||i===_a)if(r=e.get("EXT_texture_compression_bptc"),r!==null){if(i===xa)return o===Je?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(i===ya)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(i===_a)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(i===ba||i===Ma||i===pr||i===Sa)if(r=e.get("EXT_texture_compression_rgtc"),r!==null){if(i===ba)return r.COMPRESSED_RED_RGTC1_EXT;if(i===Ma)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(i===pr)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(i===Sa)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return i===Ln?n.UNSIGNED_INT_24_8:n[i]!==void 0?n[i]:null}return{convert:t}}var ky=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,Gy=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,Hh=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(e,t){if(this.texture===null){let i=new Js(e.texture);(e.depthNear!==t.depthNear||e.depthFar!==t.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=i}}getMesh(e){if(this.texture!==null&&this.mesh===null){let t=e.cameras[0].viewport,i=new Bt({vertexShader:ky,fragmentShader:Gy,uniforms:{depthColor:{value:this.texture},depthWidth:{value:t.z},depthHeight:{value:t.w}}});this.mesh=new Tt(new Cn(20,20),i)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},Vh=class extends Mi{constructor(e,t){super();let i=this,s=null,r=1,o=null,a="local-floor",h=1,l=null,c=null,u=null,d=null,f=null,p=null,_=typeof XRWebGLBinding<"u",m=new Hh,g={},M=t.getContextAttributes(),T=null,v=null,E=[],A=[],x=new Te,S=null,U=null,I=new Vt;I.viewport=new et;let N=new Vt;N.viewport=new et;let F=[I,N],G=new Uo,P=null,V=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(J){let me=E[J];return me===void 0&&(me=new as,E[J]=me),me.getTargetRaySpace()},this.getControllerGrip=function(J){let me=E[J];return me===void 0&&(me=new as,E[J]=me),me.getGripSpace()},this.getHand=function(J){let me=E[J];return me===void 0&&(me=new as,E[J]=me),me.getHandSpace()};function Y(J){let me=A.indexOf(J.inputSource);if(me===-1)return;let _e=E[me];_e!==void 0&&(_e.update(J.inputSource,J.frame,l||o),_e.dispatchEvent({type:J.type,data:J.inputSource}))}function H(){s.removeEventListener("select",Y),s.removeEventListener("selectstart",Y),s.removeEventListener("selectend",Y),s.removeEventListener("squeeze",Y),s.removeEventListener("squeezestart",Y),s.removeEventListener("squeezeend",Y),s.removeEventListener("end",H),s.removeEventListener("inputsourceschange",ie);for(let J=0;J<E.length;J++){let me=A[J];me!==null&&(A[J]=null,E[J].disconnect(me))}P=null,V=null,m.reset();for(let J in g)delete g[J];if(e.setRenderTarget(T),f=null,d=null,u=null,s=null,v=null,Oe.stop(),i.isPresenting=!1,e.setPixelRatio(S),e.setSize(x.width,x.height,!1),U!==null){let J=U.camera;J.fov=U.fov,J.zoom=U.zoom,J.updateProjectionMatrix(),U=null}i.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(J){r=J,i.isPresenting===!0&&Re("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(J){a=J,i.isPresenting===!0&&Re("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return l||o},this.setReferenceSpace=function(J){l=J},this.getBaseLayer=function(){return d!==null?d:f},this.getBinding=function(){return u===null&&_&&(u=new XRWebGLBinding(s,t)),u},this.getFrame=function(){return p},this.getSession=function(){return s},this.setSession=async function(J){if(s=J,s!==null){if(T=e.getRenderTarget(),s.addEventListener("select",Y),s.addEventListener("selectstart",Y),s.addEventListener("selectend",Y),s.addEventListener("squeeze",Y),s.addEventListener("squeezestart",Y),s.addEventListener("squeezeend",Y),s.addEventListener("end",H),s.addEventListener("inputsourceschange",ie),M.xrCompatible!==!0&&await t.makeXRCompatible(),S=e.getPixelRatio(),e.getSize(x),_&&"createProjectionLayer"in XRWebGLBinding.prototype){let _e=null,Ee=null,ge=null;M.depth&&(ge=M.stencil?t.DEPTH24_STENCIL8:t.DEPTH_COMPONENT24,_e=M.stencil?Xi:Hi,Ee=M.stencil?Ln:vi);let ze={colorFormat:t.RGBA8,depthFormat:ge,scaleFactor:r};u=this.getBinding(),d=u.createProjectionLayer(ze),s.updateRenderState({layers:[d]}),e.setPixelRatio(1),e.setSize(d.textureWidth,d.textureHeight,!1),v=new si(d.textureWidth,d.textureHeight,{format:Ai,type:oi,depthTexture:new Vi(d.textureWidth,d.textureHeight,Ee,void 0,void 0,void 0,void 0,void 0,void 0,_e),stencilBuffer:M.stencil,colorSpace:e.outputColorSpace,samples:M.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let _e={antialias:M.antialias,alpha:!0,depth:M.depth,stencil:M.stencil,framebufferScaleFactor:r};f=new XRWebGLLayer(s,t,_e),s.updateRenderState({baseLayer:f}),e.setPixelRatio(1),e.setSize(f.framebufferWidth,f.framebufferHeight,!1),v=new si(f.framebufferWidth,f.framebufferHeight,{format:Ai,type:oi,colorSpace:e.outputColorSpace,stencilBuffer:M.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}v.isXRRenderTarget=!0,this.setFoveation(h),l=null,o=await s.requestReferenceSpace(a),Oe.setContext(s),Oe.start(),i.isPresenting=!0,i.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function ie(J){for(let me=0;me<J.removed.length;me++){let _e=J.removed[me],Ee=A.indexOf(_e);Ee>=0&&(A[Ee]=null,E[Ee].disconnect(_e))}for(let me=0;me<J.added.length;me++){let _e=J.added[me],Ee=A.indexOf(_e);if(Ee===-1){for(let ze=0;ze<E.length;ze++)if(ze>=A.length){A.push(_e),Ee=ze;break}else if(A[ze]===null){A[ze]=_e,Ee=ze;break}if(Ee===-1)break}let ge=E[Ee];ge&&ge.connect(_e)}}function q(J,me){me===null?J.matrixWorld.copy(J.matrix):J.matrixWorld.multiplyMatrices(me.matrixWorld,J.matrix),J.matrixWorldInverse.copy(J.matrixWorld).invert()}this.updateCamera=function(J){if(s===null)return;let me=J.near,_e=J.far;m.texture!==null&&(m.depthNear>0&&(me=m.depthNear),m.depthFar>0&&(_e=m.depthFar)),G.near=N.near=I.near=me,G.far=N.far=I.far=_e,(P!==G.near||V!==G.far)&&(s.updateRenderState({depthNear:G.near,depthFar:G.far}),P=G.near,V=G.far),G.layers.mask=J.layers.mask|6,I.layers.mask=G.layers.mask&-5,N.layers.mask=G.layers.mask&-3;let Ee=J.parent,ge=G.cameras;q(G,Ee);for(let ze=0;ze<ge.length;ze++)q(ge[ze],Ee);G.projectionMatrix.copy(I.projectionMatrix),G.projectionMatrixInverse.copy(I.projectionMatrixInverse),U===null&&J.isPerspectiveCamera&&(U={camera:J,fov:J.fov,zoom:J.zoom}),Q(J,G,Ee)};function Q(J,me,_e){_e===null?J.matrix.copy(me.matrixWorld):(J.matrix.copy(_e.matrixWorld),J.matrix.invert(),J.matrix.multiply(me.matrixWorld)),J.matrix.decompose(J.position,J.quaternion,J.scale),J.updateMatrixWorld(!0),J.projectionMatrix.copy(me.projectionMatrix),J.projectionMatrixInverse.copy(me.projectionMatrixInverse),J.isPerspectiveCamera&&(J.fov=ss*2*Math.atan(1/J.projectionMatrix.elements[5]),J.zoom=1)}this.getCamera=function(){return G},this.getFoveation=function(){if(!(d===null&&f===null))return h},this.setFoveation=function(J){h=J,d!==null&&(d.fixedFoveation=J),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=J)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(G)},this.getCameraTexture=function(J){return g[J]};let ee=null;function Se(J,me){if(c=me.getViewerPose(l||o),p=me,c!==null){let _e=c.views;f!==null&&(e.setRenderTargetFramebuffer(v,f.framebuffer),e.setRenderTarget(v));let Ee=!1;_e.length!==G.cameras.length&&(G.cameras.length=0,Ee=!0);for(let Ie=0;Ie<_e.length;Ie++){let je=_e[Ie],tt=null;if(f!==null)tt=f.getViewport(je);else{let Et=u.getViewSubImage(d,je);tt=Et.viewport,Ie===0&&(e.setRenderTargetTextures(v,Et.colorTexture,Et.depthStencilTexture),e.setRenderTarget(v))}let Ve=F[Ie];Ve===void 0&&(Ve=new Vt,Ve.layers.enable(Ie),Ve.viewport=new et,F[Ie]=Ve),Ve.matrix.fromArray(je.transform.matrix),Ve.matrix.decompose(Ve.position,Ve.quaternion,Ve.scale),Ve.projectionMatrix.fromArray(je.projectionMatrix),Ve.projectionMatrixInverse.copy(Ve.projectionMatrix).invert(),Ve.viewport.set(tt.x,tt.y,tt.width,tt.height),Ie===0&&(G.matrix.copy(Ve.matrix),G.matrix.decompose(G.position,G.quaternion,G.scale)),Ee===!0&&G.cameras.push(Ve)}let ge=s.enabledFeatures;if(ge&&ge.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&_){u=i.getBinding();let Ie=u.getDepthInformation(_e[0]);Ie&&Ie.isValid&&Ie.texture&&m.init(Ie,s.renderState)}if(ge&&ge.includes("camera-access")&&_){e.state.unbindTexture(),u=i.getBinding();for(let Ie=0;Ie<_e.length;Ie++){let je=_e[Ie].camera;if(je){let tt=g[je];tt||(tt=new Js,g[je]=tt);let Ve=u.getCameraImage(je);tt.sourceTexture=Ve}}}}for(let _e=0;_e<E.length;_e++){let Ee=A[_e],ge=E[_e];Ee!==null&&ge!==void 0&&ge.update(Ee,me,l||o)}ee&&ee(J,me),me.detectedPlanes&&i.dispatchEvent({type:"planesdetected",data:me}),p=null}let Oe=new bd;Oe.setAnimationLoop(Se),this.setAnimationLoop=function(J){ee=J},this.dispose=function(){}}},Hy=new Ke,Pd=new Ne;Pd.set(-1,0,0,0,1,0,0,0,1);function Vy(n,e){function t(m,g){m.matrixAutoUpdate===!0&&m.updateMatrix(),g.value.copy(m.matrix)}function i(m,g){g.color.getRGB(m.fogColor.value,Ah(n)),g.isFog?(m.fogNear.value=g.near,m.fogFar.value=g.far):g.isFogExp2&&(m.fogDensity.value=g.density)}function s(m,g,M,T,v){g.isNodeMaterial?g.uniformsNeedUpdate=!1:g.isMeshBasicMaterial?r(m,g):g.isMeshLambertMaterial?(r(m,g),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)):g.isMeshToonMaterial?(r(m,g),u(m,g)):g.isMeshPhongMaterial?(r(m,g),c(m,g),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)):g.isMeshStandardMaterial?(r(m,g),d(m,g),g.isMeshPhysicalMaterial&&f(m,g,v)):g.isMeshMatcapMaterial?(r(m,g),p(m,g)):g.isMeshDepthMaterial?r(m,g):g.isMeshDistanceMaterial?(r(m,g),_(m,g)):g.isMeshNormalMaterial?r(m,g):g.isLineBasicMaterial?(o(m,g),g.isLineDashedMaterial&&a(m,g)):g.isPointsMaterial?h(m,g,M,T):g.isSpriteMaterial?l(m,g):g.isShadowMaterial?(m.color.value.copy(g.color),m.opacity.value=g.opacity):g.isShaderMaterial&&(g.uniformsNeedUpdate=!1)}function r(m,g){m.opacity.value=g.opacity,g.color&&m.diffuse.value.copy(g.color),g.emissive&&m.emissive.value.copy(g.emissive).multiplyScalar(g.emissiveIntensity),g.map&&(m.map.value=g.map,t(g.map,m.mapTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,t(g.alphaMap,m.alphaMapTransform)),g.bumpMap&&(m.bumpMap.value=g.bumpMap,t(g.bumpMap,m.bumpMapTransform),m.bumpScale.value=g.bumpScale,g.side===qt&&(m.bumpScale.value*=-1)),g.normalMap&&(m.normalMap.value=g.normalMap,t(g.normalMap,m.normalMapTransform),m.normalScale.value.copy(g.normalScale),g.side===qt&&m.normalScale.value.negate()),g.displacementMap&&(m.displacementMap.value=g.displacementMap,t(g.displacementMap,m.displacementMapTransform),m.displacementScale.value=g.displacementScale,m.displacementBias.value=g.displacementBias),g.emissiveMap&&(m.emissiveMap.value=g.emissiveMap,t(g.emissiveMap,m.emissiveMapTransform)),g.specularMap&&(m.specularMap.value=g.specularMap,t(g.specularMap,m.specularMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest);let M=e.get(g),T=M.envMap,v=M.envMapRotation;T&&(m.envMap.value=T,m.envMapRotation.value.setFromMatrix4(Hy.makeRotationFromEuler(v)).transpose(),T.isCubeTexture&&T.isRenderTargetTexture===!1&&m.envMapRotation.value.premultiply(Pd),m.reflectivity.value=g.reflectivity,m.ior.value=g.ior,m.refractionRatio.value=g.refractionRatio),g.lightMap&&(m.lightMap.value=g.lightMap,m.lightMapIntensity.value=g.lightMapIntensity,t(g.lightMap,m.lightMapTransform)),g.aoMap&&(m.aoMap.value=g.aoMap,m.aoMapIntensity.value=g.aoMapIntensity,t(g.aoMap,m.aoMapTransform))}function o(m,g){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,g.map&&(m.map.value=g.map,t(g.map,m.mapTransform))}function a(m,g){m.dashSize.value=g.dashSize,m.totalSize.value=g.dashSize+g.gapSize,m.scale.value=g.scale}function h(m,g,M,T){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,m.size.value=g.size*M,m.scale.value=T*.5,g.map&&(m.map.value=g.map,t(g.map,m.uvTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,t(g.alphaMap,m.alphaMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest)}function l(m,g){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,m.rotation.value=g.rotation,g.map&&(m.map.value=g.map,t(g.map,m.mapTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,t(g.alphaMap,m.alphaMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest)}function c(m,g){m.specular.value.copy(g.specular),m.shininess.value=Math.max(g.shininess,1e-4)}function u(m,g){g.gradientMap&&(m.gradientMap.value=g.gradientMap)}function d(m,g){m.metalness.value=g.metalness,g.metalnessMap&&(m.metalnessMap.value=g.metalnessMap,t(g.metalnessMap,m.metalnessMapTransform)),m.roughness.value=g.roughness,g.roughnessMap&&(m.roughnessMap.value=g.roughnessMap,t(g.roughnessMap,m.roughnessMapTransform)),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)}function f(m,g,M){m.ior.value=g.ior,g.diffuseRoughness>0&&(m.diffuseRoughness.value=g.diffuseRoughness,g.diffuseRoughnessMap&&(m.diffuseRoughnessMap.value=g.diffuseRoughnessMap,t(g.diffuseRoughnessMap,m.diffuseRoughnessMapTransform))),g.sheen>0&&(m.sheenColor.value.copy(g.sheenColor).multiplyScalar(g.sheen),m.sheenRoughness.value=g.sheenRoughness,g.sheenColorMap&&(m.sheenColorMap.value=g.sheenColorMap,t(g.sheenColorMap,m.sheenColorMapTransform)),g.sheenRoughnessMap&&(m.sheenRoughnessMap.value=g.sheenRoughnessMap,t(g.sheenRoughnessMap,m.sheenRoughnessMapTransform))),g.clearcoat>0&&(m.clearcoat.value=g.clearcoat,m.clearcoatRoughness.value=g.clearcoatRoughness,g.clearcoatMap&&(m.clearcoatMap.value=g.clearcoatMap,t(g.clearcoatMap,m.clearcoatMapTransform)),g.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=g.clearcoatRoughnessMap,t(g.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),g.clearcoatNormalMap&&(m.clearcoatNormalMap.value=g.clearcoatNormalMap,t(g.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(g.clearcoatNormalScale),g.side===qt&&m.clearcoatNormalScale.value.negate())),g.dispersion>0&&(m.dispersion.value=g.dispersion),g.retroreflectivity>0&&(m.retroreflectivity.value=g.retroreflectivity),g.iridescence>0&&(m.iridescence.value=g.iridescence,m.iridescenceIOR.value=g.iridescenceIOR,m.iridescenceThicknessMinimum.value=g.iridescenceThicknessMinimum,m.iridescenceThicknessMaximum.value=g.iridescenceThicknessMaximum,g.iridescenceMap&&(m.iridescenceMap.value=g.iridescenceMap,t(g.iridescenceMap,m.iridescenceMapTransform)),g.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=g.iridescenceThicknessMap,t(g.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),g.transmission>0&&(m.transmission.value=g.transmission,m.transmissionSamplerMap.value=M.texture,m.transmissionSamplerSize.value.set(M.width,M.height),g.transmissionMap&&(m.transmissionMap.value=g.transmissionMap,t(g.transmissionMap,m.transmissionMapTransform)),m.thickness.value=g.thickness,g.thicknessMap&&(m.thicknessMap.value=g.thicknessMap,t(g.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=g.attenuationDistance,m.attenuationColor.value.copy(g.attenuationColor)),g.anisotropy>0&&(m.anisotropyVector.value.set(g.anisotropy*Math.cos(g.anisotropyRotation),g.anisotropy*Math.sin(g.anisotropyRotation)),g.anisotropyMap&&(m.anisotropyMap.value=g.anisotropyMap,t(g.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=g.specularIntensity,m.specularColor.value.copy(g.specularColor),g.specularColorMap&&(m.specularColorMap.value=g.specularColorMap,t(g.specularColorMap,m.specularColorMapTransform)),g.specularIntensityMap&&(m.specularIntensityMap.value=g.specularIntensityMap,t(g.specularIntensityMap,m.specularIntensityMapTransform))}function p(m,g){g.matcap&&(m.matcap.value=g.matcap)}function _(m,g){let M=e.get(g).light;m.referencePosition.value.setFromMatrixPosition(M.matrixWorld),m.nearDistance.value=M.shadow.camera.near,m.farDistance.value=M.shadow.camera.far}return{refreshFogUniforms:i,refreshMaterialUniforms:s}}function Wy(n,e,t,i){let s={},r={};function o(M,T){let v=T.program;i.uniformBlockBinding(M,v,s[M.id])}function a(M,T){let v=s[M.id];v===void 0&&(p(M),v=h(M),s[M.id]=v,M.addEventListener("dispose",m));let E=T.program;i.updateUBOMapping(M,E);let A=e.render.frame;r[M.id]!==A&&(l(M),r[M.id]=A)}function h(M){let T=n.createBuffer(),v=M.__size,E=M.usage;return n.bindBuffer(n.UNIFORM_BUFFER,T),n.bufferData(n.UNIFORM_BUFFER,v,E),n.bindBuffer(n.UNIFORM_BUFFER,null),T}function l(M){let T=s[M.id],v=M.uniforms,E=M.__cache;n.bindBuffer(n.UNIFORM_BUFFER,T);for(let A=0,x=v.length;A<x;A++){let S=v[A];if(Array.isArray(S))for(let U=0,I=S.length;U<I;U++)c(S[U],A,U,E);else c(S,A,0,E)}n.bindBuffer(n.UNIFORM_BUFFER,null)}function c(M,T,v,E){if(d(M,T,v,E)===!0){let A=M.__offset,x=M.value;if(Array.isArray(x)){let S=0;for(let U=0;U<x.length;U++){let I=x[U],N=_(I,!0);u(I,M.__data,S),S+=N.storage/Float32Array.BYTES_PER_ELEMENT}}else u(x,M.__data,0);n.bufferSubData(n.UNIFORM_BUFFER,A,M.__data)}}function u(M,T,v){typeof M=="number"||typeof M=="boolean"?T[v]=M:M.isMatrix3?(T[v]=M.elements[0],T[v+1]=M.elements[1],T[v+2]=M.elements[2],T[v+3]=0,T[v+4]=M.elements[3],T[v+5]=M.elements[4],T[v+6]=M.elements[5],T[v+7]=0,T[v+8]=M.elements[6],T[v+9]=M.elements[7],T[v+10]=M.elements[8],T[v+11]=0):ArrayBuffer.isView(M)?T.set(M.subarray(0,T.length-v),v):M.toArray(T,v)}function d(M,T,v,E){let A=M.value,x=T+"_"+v;if(Array.isArray(A)){E[x]===void 0&&(E[x]=[]);let S=E[x],U=!1;for(let I=0;I<A.length;I++)f(A[I],S,I)===!0&&(U=!0);return U}return f(A,E,x)}function f(M,T,v){if(T[v]===void 0)return typeof M=="number"||typeof M=="boolean"?T[v]=M:ArrayBuffer.isView(M)?T[v]=M.slice():T[v]=M.clone(),!0;{let E=T[v];if(typeof M=="number"||typeof M=="boolean"){if(E!==M)return T[v]=M,!0}else{if(ArrayBuffer.isView(M))return!0;if(E.equals(M)===!1)return E.copy(M),!0}}return!1}function p(M){let T=M.uniforms,v=0,E=16;for(let x=0,S=T.length;x<S;x++){let U=Array.isArray(T[x])?T[x]:[T[x]];for(let I=0,N=U.length;I<N;I++){let F=U[I],G=Array.isArray(F.value)?F.value:[F.value],P=Array.isArray(T[x])||Array.isArray(F.value),V=v;for(let H=0,ie=G.length;H<ie;H++){let q=G[H],Q=_(q,P),ee=v%E,Se=ee%Q.boundary,Oe=ee+Se;v+=Se,Oe!==0&&E-Oe<Q.storage&&(v+=E-Oe),H===0&&(V=v),v+=Q.storage}let Y=F.type==="int"?Int32Array:F.type==="uint"?Uint32Array:Float32Array;F.__data=new Y((v-V)/Float32Array.BYTES_PER_ELEMENT),F.__offset=V}}let A=v%E;return A>0&&(v+=E-A),M.__size=v,M.__cache={},this}function _(M,T){let v={boundary:0,storage:0};return typeof M=="number"||typeof M=="boolean"?(v.boundary=4,v.storage=4):M.isVector2?(v.boundary=8,v.storage=8):M.isVector3||M.isColor?(v.boundary=16,v.storage=12):M.isVector4?(v.boundary=16,v.storage=16):M.isMatrix3?(v.boundary=16,v.storage=48):M.isMatrix4?(v.boundary=16,v.storage=64):M.isTexture?Re("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(M)?(v.boundary=16,v.storage=M.byteLength):Re("WebGLRenderer: Unsupported uniform value type.",M),T===!0&&(v.boundary=16,v.storage=Math.ceil(v.storage/16)*16),v}function m(M){let T=M.target;T.removeEventListener("dispose",m),n.deleteBuffer(s[T.id]),delete s[T.id],delete r[T.id]}function g(){for(let M in s)n.deleteBuffer(s[M]);s={},r={}}return{bind:o,update:a,dispose:g}}var Xy=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),Pi=null;function qy(){return Pi===null&&(Pi=new qs(Xy,16,16,fn,wi),Pi.name="DFG_LUT",Pi.minFilter=Wt,Pi.magFilter=Wt,Pi.wrapS=Ci,Pi.wrapT=Ci,Pi.generateMipmaps=!1,Pi.needsUpdate=!0),Pi}var Ea=class{constructor(e={}){let{canvas:t=qu(),context:i=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:h=!0,preserveDrawingBuffer:l=!1,powerPreference:c="default",failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:f=oi}=e;this.isWebGLRenderer=!0;let p;if(i!==null){if(typeof WebGLRenderingContext<"u"&&i instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");p=i.getContextAttributes().alpha}else p=o;let _=f,m=new Set([qo,Xo,Wo]),g=new Set([oi,vi,gs,Ln,Go,Ho]),M=new Uint32Array(4),T=new Int32Array(4),v={textures:[],min:[],max:[],resolution:[]},E=null,A=null,x=[],S=[],U=null;this.domElement=t,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=Ri,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let I=this,N=!1,F=null,G=null,P=null,V=null;this._outputColorSpace=ii;let Y=0,H=0,ie=null,q=-1,Q=null,ee=new et,Se=new et,Oe=null,J=new Pe(0),me=0,_e=t.width,Ee=t.height,ge=1,ze=null,dt=null,Ie=new et(0,0,_e,Ee),je=new et(0,0,_e,Ee),tt=!1,Ve=new En,Et=new bo,gt=!1,$t=!1,ht=new Ke,Ti=new R,Mt=new et,ai={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},li=!1;function hi(){return ie===null?ge:1}let D=i;function ci(b,L){return t.getContext(b,L)}let at,lt,fe,xt,Ce,Ue,w,y,B,te,j,re,ce,$,Z,ae,C,K,X,le,se,oe,we;try{let b={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:h,preserveDrawingBuffer:l,powerPreference:c,failIfMajorPerformanceCaveat:u};if("setAttribute"in t&&t.setAttribute("data-engine",`three.js r${"187"}`),t.addEventListener("webglcontextlost",Ae,!1),t.addEventListener("webglcontextrestored",ke,!1),t.addEventListener("webglcontextcreationerror",pe,!1),D===null){let L="webgl2";if(D=ci(L,b),D===null)throw ci(L)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}Ge()}catch(b){throw t.removeEventListener("webglcontextlost",Ae,!1),t.removeEventListener("webglcontextrestored",ke,!1),t.removeEventListener("webglcontextcreationerror",pe,!1),De("WebGLRenderer: "+b.message),b}function Ge(){at=new nx(D),at.init(),se=new zy(D,at),lt=new q0(D,at,e,se),fe=new Fy(D,at),lt.reversedDepthBuffer&&d&&fe.buffers.depth.setReversed(!0),G=D.createFramebuffer(),P=D.createFramebuffer(),V=D.createFramebuffer(),xt=new ox(D),Ce=new vy,Ue=new By(D,at,fe,Ce,lt,se,xt),w=new ix(I),y=new lm(D),oe=new W0(D,y),B=new sx(D,y,xt,oe),te=new lx(D,B,y,oe,xt),K=new ax(D,lt,Ue),Z=new Y0(Ce),j=new Sy(I,w,at,lt,oe,Z),re=new Vy(I,Ce),ce=new Ay,$=new Iy(at),C=new V0(I,w,fe,te,p,h),ae=new Oy(I,te,lt),we=new Wy(D,xt,lt,fe),X=new X0(D,at,xt),le=new rx(D,at,xt),xt.programs=j.programs,I.capabilities=lt,I.extensions=at,I.properties=Ce,I.renderLists=ce,I.shadowMap=ae,I.state=fe,I.info=xt}_!==oi&&(U=new cx(_,t.width,t.height,a,s,r));let ne=new Vh(I,D);this.xr=ne,this.getContext=function(){return D},this.getContextAttributes=function(){return D.getContextAttributes()},this.forceContextLoss=function(){let b=at.get("WEBGL_lose_context");b&&b.loseContext()},this.forceContextRestore=function(){let b=at.get("WEBGL_lose_context");b&&b.restoreContext()},this.getPixelRatio=function(){return ge},this.setPixelRatio=function(b){b!==void 0&&(ge=b,this.setSize(_e,Ee,!1))},this.getSize=function(b){return b.set(_e,Ee)},this.setSize=function(b,L,k=!0){if(ne.isPresenting){Re("WebGLRenderer: Can't change size while VR device is presenting.");return}_e=b,Ee=L,t.width=Math.floor(b*ge),t.height=Math.floor(L*ge),k===!0&&(t.style.width=b+"px",t.style.height=L+"px"),U!==null&&U.setSize(t.width,t.height),this.setViewport(0,0,b,L)},this.getDrawingBufferSize=function(b){return b.set(_e*ge,Ee*ge).floor()},this.setDrawingBufferSize=function(b,L,k){_e=b,Ee=L,ge=k,t.width=Math.floor(b*k),t.height=Math.floor(L*k),this.setViewport(0,0,b,L)},this.setEffects=function(b){if(_===oi){De("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(b){for(let L=0;L<b.length;L++)if(b[L].isOutputPass===!0){Re("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}U.setEffects(b||[])},this.getCurrentViewport=function(b){return b.copy(ee)},this.getViewport=function(b){return b.copy(Ie)},this.setViewport=function(b,L,k,O){b.isVector4?Ie.set(b.x,b.y,b.z,b.w):Ie.set(b,L,k,O),fe.viewport(ee.copy(Ie).multiplyScalar(hi()).round())},this.getScissor=function(b){return b.copy(je)},this.setScissor=function(b,L,k,O){b.isVector4?je.set(b.x,b.y,b.z,b.w):je.set(b,L,k,O),fe.scissor(Se.copy(je).multiplyScalar(hi()).round())},this.getScissorTest=function(){return tt},this.setScissorTest=function(b){fe.setScissorTest(tt=b)},this.setOpaqueSort=function(b){ze=b},this.setTransparentSort=function(b){dt=b},this.getClearColor=function(b){return b.copy(C.getClearColor())},this.setClearColor=function(){C.setClearColor(...arguments)},this.getClearAlpha=function(){return C.getClearAlpha()},this.setClearAlpha=function(){C.setClearAlpha(...arguments)},this.clear=function(b=!0,L=!0,k=!0){let O=0;if(b){let z=!1;if(ie!==null){let ue=ie.texture.format;z=m.has(ue)}if(z){let ue=ie.texture.type,ye=g.has(ue),he=C.getClearColor(),xe=C.getClearAlpha(),ve=he.r,Fe=he.g,We=he.b;ye?(M[0]=ve,M[1]=Fe,M[2]=We,M[3]=xe,D.clearBufferuiv(D.COLOR,0,M)):(T[0]=ve,T[1]=Fe,T[2]=We,T[3]=xe,D.clearBufferiv(D.COLOR,0,T))}else O|=D.COLOR_BUFFER_BIT}L&&(O|=D.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),k&&(O|=D.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),O!==0&&D.clear(O)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(b){b.setRenderer(this),F=b},this.dispose=function(){t.removeEventListener("webglcontextlost",Ae,!1),t.removeEventListener("webglcontextrestored",ke,!1),t.removeEventListener("webglcontextcreationerror",pe,!1),C.dispose(),ce.dispose(),$.dispose(),Ue.dispose(),Ce.dispose(),w.dispose(),te.dispose(),B.dispose(),oe.dispose(),we.dispose(),j.dispose(),ne.dispose(),ne.removeEventListener("sessionstart",xc),ne.removeEventListener("sessionend",yc),yn.stop()};function Ae(b){b.preventDefault(),Gs("WebGLRenderer: Context Lost."),N=!0}function ke(){Gs("WebGLRenderer: Context Restored."),N=!1;let b=xt.autoReset,L=ae.enabled,k=ae.autoUpdate,O=ae.needsUpdate,z=ae.type;Ge(),xt.autoReset=b,ae.enabled=L,ae.autoUpdate=k,ae.needsUpdate=O,ae.type=z}function pe(b){De("WebGLRenderer: A WebGL context could not be created. Reason: ",b.statusMessage)}function Qe(b){let L=b.target;L.removeEventListener("dispose",Qe),St(L)}function St(b){Ji(b),Ce.remove(b)}function Ji(b){let L=Ce.get(b).programs;L!==void 0&&(L.forEach(function(k){j.releaseProgram(k)}),b.isShaderMaterial&&j.releaseShaderCache(b))}this.renderBufferDirect=function(b,L,k,O,z,ue){L===null&&(L=ai);let ye=z.isMesh&&z.matrixWorld.determinantAffine()<0,he=zf(b,L,k,O,z);fe.setMaterial(O,ye);let xe=k.index,ve=1;if(O.wireframe===!0){if(xe=B.getWireframeAttribute(k),xe===void 0)return;ve=2}let Fe=k.drawRange,We=k.attributes.position,be=Fe.start*ve,Xe=(Fe.start+Fe.count)*ve;ue!==null&&(be=Math.max(be,ue.start*ve),Xe=Math.min(Xe,(ue.start+ue.count)*ve)),xe!==null?(be=Math.max(be,0),Xe=Math.min(Xe,xe.count)):We!=null&&(be=Math.max(be,0),Xe=Math.min(Xe,We.count));let ft=Xe-be;if(ft<0||ft===1/0)return;oe.setup(z,O,he,k,xe);let nt,it=X;if(xe!==null&&(nt=y.get(xe),it=le,it.setIndex(nt)),z.isMesh)O.wireframe===!0?(fe.setLineWidth(O.wireframeLinewidth*hi()),it.setMode(D.LINES)):it.setMode(D.TRIANGLES);else if(z.isLine){let Lt=O.linewidth;Lt===void 0&&(Lt=1),fe.setLineWidth(Lt*hi()),z.isLineSegments?it.setMode(D.LINES):z.isLineLoop?it.setMode(D.LINE_LOOP):it.setMode(D.LINE_STRIP)}else z.isPoints?it.setMode(D.POINTS):z.isSprite&&it.setMode(D.TRIANGLES);if(z.isBatchedMesh)if(at.get("WEBGL_multi_draw"))it.renderMultiDraw(z._multiDrawStarts,z._multiDrawCounts,z._multiDrawCount);else{let Lt=z._multiDrawStarts,Me=z._multiDrawCounts,kt=z._multiDrawCount,$e=xe?y.get(xe).bytesPerElement:1,_n=Ce.get(O).currentProgram.getUniforms();for(let Dt=0;Dt<kt;Dt++)_n.setValue(D,"_gl_DrawID",Dt),it.render(Lt[Dt]/$e,Me[Dt])}else if(z.isInstancedMesh)it.renderInstances(be,ft,z.count);else if(k.isInstancedBufferGeometry){let Lt=k._maxInstanceCount!==void 0?k._maxInstanceCount:1/0,Me=Math.min(k.instanceCount,Lt);it.renderInstances(be,ft,Me)}else it.render(be,ft)};function gc(b,L,k,O){F!==null&&b.isNodeMaterial&&F.setObject(O,b),gt===!0&&Z.setState(b,k,!1),b.transparent===!0&&b.side===Kt&&b.forceSinglePass===!1?(b.side=qt,b.needsUpdate=!0,Es(b,L,O),b.side=dn,b.needsUpdate=!0,Es(b,L,O),b.side=Kt):Es(b,L,O)}this.compile=function(b,L,k=null){k===null&&(k=b),F!==null&&F.renderStart(b,L,k),A=$.get(k),A.init(L),S.push(A),k.traverseVisible(function(z){z.isLight&&z.layers.test(L.layers)&&(A.pushLight(z),z.castShadow&&A.pushShadow(z))}),b!==k&&b.traverseVisible(function(z){z.isLight&&z.layers.test(L.layers)&&(A.pushLight(z),z.castShadow&&A.pushShadow(z))}),A.setupLights(),F!==null&&F.updateLights(A.state.lightsArray),$t=this.localClippingEnabled,gt=Z.init(this.clippingPlanes,$t),gt===!0&&Z.setGlobalState(this.clippingPlanes,L),F!==null&&ae.render(A.state.shadowsArray,k,L);let O=new Set;return b.traverse(function(z){if(!(z.isMesh||z.isPoints||z.isLine||z.isSprite))return;let ue=z.material;if(ue)if(Array.isArray(ue))for(let ye=0;ye<ue.length;ye++){let he=ue[ye];gc(he,k,L,z),O.add(he)}else gc(ue,k,L,z),O.add(ue)}),A=S.pop(),F!==null&&F.renderEnd(),O},this.compileAsync=function(b,L,k=null){let O=this.compile(b,L,k);return new Promise(z=>{function ue(){if(O.forEach(function(ye){let xe=Ce.get(ye).currentProgram;(xe===void 0||xe.isReady())&&O.delete(ye)}),O.size===0){z(b);return}setTimeout(ue,10)}at.get("KHR_parallel_shader_compile")!==null?ue():setTimeout(ue,10)})};let hl=null;function Ff(b){hl&&hl(b)}function xc(){yn.stop()}function yc(){yn.start()}let yn=new bd;yn.setAnimationLoop(Ff),typeof self<"u"&&yn.setContext(self),this.setAnimationLoop=function(b){hl=b,ne.setAnimationLoop(b),b===null?yn.stop():yn.start()},ne.addEventListener("sessionstart",xc),ne.addEventListener("sessionend",yc),this.render=function(b,L){if(L!==void 0&&L.isCamera!==!0){De("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(N===!0)return;F!==null&&F.renderStart(b,L);let k=ne.enabled===!0&&ne.isPresenting===!0,O=U!==null&&(ie===null||k)&&U.begin(I,ie);if(b.matrixWorldAutoUpdate===!0&&b.updateMatrixWorld(),L.parent===null&&L.matrixWorldAutoUpdate===!0&&L.updateMatrixWorld(),ne.enabled===!0&&ne.isPresenting===!0&&(U===null||U.isCompositing()===!1)&&(ne.cameraAutoUpdate===!0&&ne.updateCamera(L),L=ne.getCamera()),b.isScene===!0&&b.onBeforeRender(I,b,L,ie),A=$.get(b,S.length),A.init(L),A.state.textureUnits=Ue.getTextureUnits(),S.push(A),ht.multiplyMatrices(L.projectionMatrix,L.matrixWorldInverse),L.isArrayCamera?Et.setFromArrayCamera(L):Ve.setFromProjectionMatrix(ht,di,L.reversedDepth),$t=this.localClippingEnabled,gt=Z.init(this.clippingPlanes,$t),E=ce.get(b,x.length),E.init(),x.push(E),this.info.render.frame++,ne.enabled===!0&&ne.isPresenting===!0){let ye=I.xr.getDepthSensingMesh();ye!==null&&cl(ye,L,-1/0,I.sortObjects)}cl(b,L,0,I.sortObjects),E.finish(),F!==null&&F.updateLights(A.state.lightsArray),I.sortObjects===!0&&E.sort(ze,dt),li=ne.enabled===!1||ne.isPresenting===!1||ne.hasDepthSensing()===!1,li&&C.addToRenderList(E,b),this.info.autoReset===!0&&this.info.reset(),gt===!0&&Z.beginShadows();let z=A.state.shadowsArray;if(ae.render(z,b,L),gt===!0&&Z.endShadows(),(O&&U.hasRenderPass())===!1){let ye=E.opaque,he=E.transmissive;if(A.setupLights(),L.isArrayCamera){let xe=L.cameras;if(he.length>0)for(let ve=0,Fe=xe.length;ve<Fe;ve++){let We=xe[ve];bc(ye,he,b,We)}li&&C.render(b);for(let ve=0,Fe=xe.length;ve<Fe;ve++){let We=xe[ve];_c(E,b,We,We.viewport)}}else he.length>0&&bc(ye,he,b,L),li&&C.render(b),_c(E,b,L)}ie!==null&&H===0&&(Ue.updateMultisampleRenderTarget(ie),Ue.updateRenderTargetMipmap(ie)),O&&U.end(I),b.isScene===!0&&b.onAfterRender(I,b,L),oe.resetDefaultState(),q=-1,Q=null,S.pop(),S.length>0?(A=S[S.length-1],Ue.setTextureUnits(A.state.textureUnits),gt===!0&&Z.setGlobalState(I.clippingPlanes,A.state.camera)):A=null,x.pop(),x.length>0?E=x[x.length-1]:E=null,F!==null&&F.renderEnd()};function cl(b,L,k,O){if(b.visible===!1)return;if(b.layers.test(L.layers)){if(b.isGroup)k=b.renderOrder;else if(b.isLOD)b.autoUpdate===!0&&b.update(L);else if(b.isLight)A.pushLight(b),b.castShadow&&A.pushShadow(b);else if(b.isSprite){let ye=L.isArrayCamera?Et:Ve;if(!b.frustumCulled||b.intersectsFrustum(ye)){O&&Mt.setFromMatrixPosition(b.matrixWorld).applyMatrix4(ht);let he=te.update(b),xe=b.material;xe.visible&&E.push(b,he,xe,k,Mt.z,null,L)}}else if(b.isMesh||b.isLine||b.isPoints){let ye=L.isArrayCamera?Et:Ve;if(!b.frustumCulled||b.intersectsFrustum(ye)){let he=te.update(b),xe=b.material;if(O&&(b.boundingSphere!==void 0?(b.boundingSphere===null&&b.computeBoundingSphere(),Mt.copy(b.boundingSphere.center)):(he.boundingSphere===null&&he.computeBoundingSphere(),Mt.copy(he.boundingSphere.center)),Mt.applyMatrix4(b.matrixWorld).applyMatrix4(ht)),Array.isArray(xe)){let ve=he.groups;for(let Fe=0,We=ve.length;Fe<We;Fe++){let be=ve[Fe],Xe=xe[be.materialIndex];Xe&&Xe.visible&&E.push(b,he,Xe,k,Mt.z,be,L)}}else xe.visible&&E.push(b,he,xe,k,Mt.z,null,L)}}}let ue=b.children;for(let ye=0,he=ue.length;ye<he;ye++)cl(ue[ye],L,k,O)}function _c(b,L,k,O){let{opaque:z,transmissive:ue,transparent:ye}=b;A.setupLightsView(k),gt===!0&&Z.setGlobalState(I.clippingPlanes,k),O&&fe.viewport(ee.copy(O)),z.length>0&&Ar(z,L,k),ue.length>0&&Ar(ue,L,k),ye.length>0&&Ar(ye,L,k),fe.buffers.depth.setTest(!0),fe.buffers.depth.setMask(!0),fe.buffers.color.setMask(!0),fe.setPolygonOffset(!1)}function bc(b,L,k,O){if((k.isScene===!0?k.overrideMaterial:null)!==null)return;if(A.state.transmissionRenderTarget[O.id]===void 0){let be=at.has("EXT_color_buffer_half_float")||at.has("EXT_color_buffer_float");A.state.transmissionRenderTarget[O.id]=new si(1,1,{generateMipmaps:!0,type:be?wi:oi,minFilter:Wi,samples:Math.max(4,lt.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:qe.workingColorSpace})}let ue=A.state.transmissionRenderTarget[O.id],ye=O.viewport||ee;ue.setSize(ye.z*I.transmissionResolutionScale,ye.w*I.transmissionResolutionScale);let he=I.getRenderTarget(),xe=I.getActiveCubeFace(),ve=I.getActiveMipmapLevel();I.setRenderTarget(ue),I.getClearColor(J),me=I.getClearAlpha(),me<1&&I.setClearColor(16777215,.5),I.clear(),li&&C.render(k);let Fe=I.toneMapping;I.toneMapping=Ri;let We=O.viewport;if(O.viewport!==void 0&&(O.viewport=void 0),A.setupLightsView(O),gt===!0&&Z.setGlobalState(I.clippingPlanes,O),Ar(b,k,O),Ue.updateMultisampleRenderTarget(ue),Ue.updateRenderTargetMipmap(ue),at.has("WEBGL_multisampled_render_to_texture")===!1){let be=!1;for(let Xe=0,ft=L.length;Xe<ft;Xe++){let nt=L[Xe],{object:it,geometry:Lt,material:Me,group:kt}=nt;if(Me.side===Kt&&it.layers.test(O.layers)){let $e=Me.side;Me.side=qt,Me.needsUpdate=!0,Mc(it,k,O,Lt,Me,kt),Me.side=$e,Me.needsUpdate=!0,be=!0}}be===!0&&(Ue.updateMultisampleRenderTarget(ue),Ue.updateRenderTargetMipmap(ue))}I.setRenderTarget(he,xe,ve),I.setClearColor(J,me),We!==void 0&&(O.viewport=We),I.toneMapping=Fe}function Ar(b,L,k){let O=L.isScene===!0?L.overrideMaterial:null;for(let z=0,ue=b.length;z<ue;z++){let ye=b[z],{object:he,geometry:xe,group:ve}=ye,Fe=ye.material;Fe.allowOverride===!0&&O!==null&&(Fe=O),he.layers.test(k.layers)&&Mc(he,L,k,xe,Fe,ve)}}function Mc(b,L,k,O,z,ue){F!==null&&z.isNodeMaterial&&F.setObject(b,z),b.onBeforeRender(I,L,k,O,z,ue),b.modelViewMatrix.multiplyMatrices(k.matrixWorldInverse,b.matrixWorld),b.normalMatrix.getNormalMatrix(b.modelViewMatrix),z.onBeforeRender(I,L,k,O,b,ue),z.transparent===!0&&z.side===Kt&&z.forceSinglePass===!1?(z.side=qt,z.needsUpdate=!0,I.renderBufferDirect(k,L,O,z,b,ue),z.side=dn,z.needsUpdate=!0,I.renderBufferDirect(k,L,O,z,b,ue),z.side=Kt):I.renderBufferDirect(k,L,O,z,b,ue),b.onAfterRender(I,L,k,O,z,ue)}function Sc(b){let L=0;for(let k of b)k.texture!==null&&L++;return L}function Es(b,L,k){L.isScene!==!0&&(L=ai);let O=Ce.get(b),z=A.state.lights,ue=A.state.shadowsArray,ye=z.state.version,he=j.getParameters(b,z.state,ue,L,k,A.state.lightProbeGridArray),xe=j.getProgramCacheKey(he),ve=O.programs;O.environment=b.isMeshStandardMaterial||b.isMeshLambertMaterial||b.isMeshPhongMaterial?L.environment:null,O.fog=L.fog;let Fe=b.isMeshStandardMaterial||b.isMeshLambertMaterial&&!b.envMap||b.isMeshPhongMaterial&&!b.envMap;O.envMap=w.get(b.envMap||O.environment,Fe),O.envMapRotation=O.environment!==null&&b.envMap===null?L.environmentRotation:b.envMapRotation,ve===void 0&&(b.addEventListener("dispose",Qe),ve=new Map,O.programs=ve,O.programVariants=new Map);let We=ve.get(xe);if(We!==void 0){if(O.currentProgram===We&&O.lightsStateVersion===ye)return wc(b,he),We}else he.uniforms=j.getUniforms(b),F!==null&&b.isNodeMaterial&&F.build(b,k,he),b.onBeforeCompile(he,I),We=j.acquireProgram(he,xe),ve.set(xe,We),O.uniforms=he.uniforms;let be=O.uniforms;return(!b.isShaderMaterial&&!b.isRawShaderMaterial||b.clipping===!0)&&(be.clippingPlanes=Z.uniform),wc(b,he),O.needsLights=Gf(b),O.lightsStateVersion=ye,O.needsLights&&(be.ambientLightColor.value=z.state.ambient,be.lightProbe.value=z.state.probe,be.sunLights.value=z.state.sun,be.sunLightShadows.value=z.state.sunShadow,be.directionalLights.value=z.state.directional,be.directionalLightShadows.value=z.state.directionalShadow,be.spotLights.value=z.state.spot,be.spotLightShadows.value=z.state.spotShadow,be.rectAreaLights.value=z.state.rectArea,be.ltc_1.value=z.state.rectAreaLTC1,be.ltc_2.value=z.state.rectAreaLTC2,be.pointLights.value=z.state.point,be.pointLightShadows.value=z.state.pointShadow,be.hemisphereLights.value=z.state.hemi,be.sunShadowMatrix.value=z.state.sunShadowMatrix,be.sunShadowCascade.value=z.state.sunShadowCascade,be.directionalShadowMatrix.value=z.state.directionalShadowMatrix,be.spotLightMatrix.value=z.state.spotLightMatrix,be.spotLightMap.value=z.state.spotLightMap,be.pointShadowMatrix.value=z.state.pointShadowMatrix),O.numLightProbeGrids=Sc(A.state.lightProbeGridArray),O.currentProgram=We,O.uniformsList=null,We}function Bf(b,L,k,O,z){let ue=Ce.get(b),ye=ue.currentProgram.id+","+O+","+z,he=ue.programVariants.get(ye);return he===void 0?(he=Es(b,L,k),ue.programVariants.set(ye,he)):(ue.currentProgram=he,ue.uniformsList=null,ue.outputColorSpace=O,ue.toneMapping=z),he}function vc(b){if(b.uniformsList===null){let L=b.currentProgram.getUniforms();b.uniformsList=xs.seqWithValue(L.seq,b.uniforms)}return b.uniformsList}function wc(b,L){let k=Ce.get(b);k.outputColorSpace=L.outputColorSpace,k.batching=L.batching,k.batchingColor=L.batchingColor,k.instancing=L.instancing,k.instancingColor=L.instancingColor,k.instancingMorph=L.instancingMorph,k.skinning=L.skinning,k.morphTargets=L.morphTargets,k.morphNormals=L.morphNormals,k.morphColors=L.morphColors,k.morphTargetsCount=L.morphTargetsCount,k.numClippingPlanes=L.numClippingPlanes,k.numIntersection=L.numClipIntersection,k.vertexAlphas=L.vertexAlphas,k.vertexTangents=L.vertexTangents,k.toneMapping=L.toneMapping}function zf(b,L,k,O,z){L.isScene!==!0&&(L=ai),Ue.resetTextureUnits();let ue=L.fog,ye=O.isMeshStandardMaterial||O.isMeshLambertMaterial||O.isMeshPhongMaterial?L.environment:null,he=ie===null?I.outputColorSpace:ie.isXRRenderTarget===!0?ie.texture.colorSpace:qe.workingColorSpace,xe=O.isMeshStandardMaterial||O.isMeshLambertMaterial&&!O.envMap||O.isMeshPhongMaterial&&!O.envMap,ve=w.get(O.envMap||ye,xe),Fe=O.vertexColors===!0&&!!k.attributes.color&&k.attributes.color.itemSize===4,We=!!k.attributes.tangent&&(!!O.normalMap||O.anisotropy>0),be=!!k.morphAttributes.position,Xe=!!k.morphAttributes.normal,ft=!!k.morphAttributes.color,nt=Ri;O.toneMapped&&(ie===null||ie.isXRRenderTarget===!0)&&(nt=I.toneMapping);let it=k.morphAttributes.position||k.morphAttributes.normal||k.morphAttributes.color,Lt=it!==void 0?it.length:0,Me=Ce.get(O),kt=A.state.lights;if(gt===!0&&($t===!0||b!==Q)){let ct=b===Q&&O.id===q;Z.setState(O,b,ct)}let $e=!1,_n=!1;O.version===Me.__version?Me.needsLights&&Me.lightsStateVersion!==kt.state.version||z.isBatchedMesh&&Me.batching===!1||!z.isBatchedMesh&&Me.batching===!0||z.isBatchedMesh&&Me.batchingColor===!0&&z._colorsTexture===null||z.isBatchedMesh&&Me.batchingColor===!1&&z._colorsTexture!==null||z.isInstancedMesh&&Me.instancing===!1||!z.isInstancedMesh&&Me.instancing===!0||z.isSkinnedMesh&&Me.skinning===!1||!z.isSkinnedMesh&&Me.skinning===!0||z.isInstancedMesh&&Me.instancingColor===!0&&z.instanceColor===null||z.isInstancedMesh&&Me.instancingColor===!1&&z.instanceColor!==null||z.isInstancedMesh&&Me.instancingMorph===!0&&z.morphTexture===null||z.isInstancedMesh&&Me.instancingMorph===!1&&z.morphTexture!==null||Me.envMap!==ve||O.fog===!0&&Me.fog!==ue||Me.numClippingPlanes!==void 0&&(Me.numClippingPlanes!==Z.numPlanes||Me.numIntersection!==Z.numIntersection)||Me.vertexAlphas!==Fe||Me.vertexTangents!==We||Me.morphTargets!==be||Me.morphNormals!==Xe||Me.morphColors!==ft||Me.morphTargetsCount!==Lt||Me.numLightProbeGrids!==Sc(A.state.lightProbeGridArray)?$e=!0:(Me.outputColorSpace!==he||Me.toneMapping!==nt)&&(_n=!0):($e=!0,Me.__version=O.version);let Dt=Me.currentProgram;($e===!0||_n===!0)&&(Dt=_n===!0?Bf(O,L,z,he,nt):Es(O,L,z),F&&O.isNodeMaterial&&F.onUpdateProgram(O,Dt,Me));let Tr=!1,Ki=!1,bn=!1,Ye=Dt.getUniforms(),Ct=Me.uniforms;if(fe.useProgram(Dt.program)&&(Tr=!0,Ki=!0,bn=!0),O.id!==q&&(q=O.id,Ki=!0),Tr||Q!==b){fe.buffers.depth.getReversed()&&b.reversedDepth!==!0&&(b._reversedDepth=!0,b.updateProjectionMatrix()),Ye.setValue(D,"projectionMatrix",b.projectionMatrix),Ye.setValue(D,"viewMatrix",b.matrixWorldInverse);let vt=Ye.map.cameraPosition;vt!==void 0&&vt.setValue(D,Ti.setFromMatrixPosition(b.matrixWorld)),lt.logarithmicDepthBuffer&&Ye.setValue(D,"logDepthBufFC",2/(Math.log(b.far+1)/Math.LN2)),(O.isMeshPhongMaterial||O.isMeshToonMaterial||O.isMeshLambertMaterial||O.isMeshBasicMaterial||O.isMeshStandardMaterial||O.isShaderMaterial)&&Ye.setValue(D,"isOrthographic",b.isOrthographicCamera===!0),Q!==b&&(Q=b,Ki=!0,bn=!0)}if(Me.needsLights&&(kt.state.sunShadowMap.length>0&&Ye.setValue(D,"sunShadowMap",kt.state.sunShadowMap,Ue),kt.state.directionalShadowMap.length>0&&Ye.setValue(D,"directionalShadowMap",kt.state.directionalShadowMap,Ue),kt.state.spotShadowMap.length>0&&Ye.setValue(D,"spotShadowMap",kt.state.spotShadowMap,Ue),kt.state.pointShadowMap.length>0&&Ye.setValue(D,"pointShadowMap",kt.state.pointShadowMap,Ue)),z.isSkinnedMesh){Ye.setOptional(D,z,"bindMatrix"),Ye.setOptional(D,z,"bindMatrixInverse");let ct=z.skeleton;ct&&(ct.boneTexture===null&&ct.computeBoneTexture(),Ye.setValue(D,"boneTexture",ct.boneTexture,Ue))}z.isBatchedMesh&&(Ye.setOptional(D,z,"batchingTexture"),Ye.setValue(D,"batchingTexture",z._matricesTexture,Ue),Ye.setOptional(D,z,"batchingIdTexture"),Ye.setValue(D,"batchingIdTexture",z._indirectTexture,Ue),Ye.setOptional(D,z,"batchingColorTexture"),z._colorsTexture!==null&&Ye.setValue(D,"batchingColorTexture",z._colorsTexture,Ue));let mi=k.morphAttributes;if((mi.position!==void 0||mi.normal!==void 0||mi.color!==void 0)&&K.update(z,k,Dt),(Ki||Me.receiveShadow!==z.receiveShadow)&&(Me.receiveShadow=z.receiveShadow,Ye.setValue(D,"receiveShadow",z.receiveShadow)),(O.isMeshStandardMaterial||O.isMeshLambertMaterial||O.isMeshPhongMaterial)&&O.envMap===null&&L.environment!==null&&(Ct.envMapIntensity.value=L.environmentIntensity),Ct.dfgLUT!==void 0&&(Ct.dfgLUT.value=qy()),Ki){if(Ye.setValue(D,"toneMappingExposure",I.toneMappingExposure),Me.needsLights&&kf(Ct,bn),ue&&O.fog===!0&&re.refreshFogUniforms(Ct,ue),re.refreshMaterialUniforms(Ct,O,ge,Ee,A.state.transmissionRenderTarget[b.id]),Me.needsLights&&Me.numLightProbeGrids>0){let ct=v,vt=0;for(let Ni of A.state.lightProbeGridArray)Ni.texture!==null&&(ct.textures[vt]=Ni.texture,ct.min[vt]=Ni.boundingBox.min,ct.max[vt]=Ni.boundingBox.max,ct.resolution[vt]=Ni.resolution,vt++);for(let Ni in ct)ct[Ni].length=vt;Ct.probesSH.value=ct.textures,Ct.probesMin.value=ct.min,Ct.probesMax.value=ct.max,Ct.probesResolution.value=ct.resolution}xs.upload(D,vc(Me),Ct,Ue)}if(O.isShaderMaterial&&O.uniformsNeedUpdate===!0&&(xs.upload(D,vc(Me),Ct,Ue),O.uniformsNeedUpdate=!1),O.isSpriteMaterial&&Ye.setValue(D,"center",z.center),Ye.setValue(D,"modelViewMatrix",z.modelViewMatrix),Ye.setValue(D,"normalMatrix",z.normalMatrix),Ye.setValue(D,"modelMatrix",z.matrixWorld),O.uniformsGroups!==void 0){let ct=O.uniformsGroups;for(let vt=0,Ni=ct.length;vt<Ni;vt++){let Tc=ct[vt];we.update(Tc,Dt),we.bind(Tc,Dt)}}return Dt}function kf(b,L){b.ambientLightColor.needsUpdate=L,b.lightProbe.needsUpdate=L,b.sunLights.needsUpdate=L,b.sunLightShadows.needsUpdate=L,b.directionalLights.needsUpdate=L,b.directionalLightShadows.needsUpdate=L,b.pointLights.needsUpdate=L,b.pointLightShadows.needsUpdate=L,b.spotLights.needsUpdate=L,b.spotLightShadows.needsUpdate=L,b.rectAreaLights.needsUpdate=L,b.hemisphereLights.needsUpdate=L}function Gf(b){return b.isMeshLambertMaterial||b.isMeshToonMaterial||b.isMeshPhongMaterial||b.isMeshStandardMaterial||b.isShadowMaterial||b.isShaderMaterial&&b.lights===!0}this.getActiveCubeFace=function(){return Y},this.getActiveMipmapLevel=function(){return H},this.getRenderTarget=function(){return ie},this.setRenderTargetTextures=function(b,L,k){let O=Ce.get(b);O.__autoAllocateDepthBuffer=b.resolveDepthBuffer===!1,O.__autoAllocateDepthBuffer===!1&&(O.__useRenderToTexture=!1),Ce.get(b.texture).__webglTexture=L,Ce.get(b.depthTexture).__webglTexture=O.__autoAllocateDepthBuffer?void 0:k,O.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(b,L){let k=Ce.get(b);k.__webglFramebuffer=L,k.__useDefaultFramebuffer=L===void 0},this.setRenderTarget=function(b,L=0,k=0){ie=b,Y=L,H=k;let O=null,z=!1,ue=!1;if(b){let he=Ce.get(b);if(he.__useDefaultFramebuffer!==void 0){fe.bindFramebuffer(D.FRAMEBUFFER,he.__webglFramebuffer),ee.copy(b.viewport),Se.copy(b.scissor),Oe=b.scissorTest,fe.viewport(ee),fe.scissor(Se),fe.setScissorTest(Oe),q=-1;return}else if(he.__webglFramebuffer===void 0)Ue.setupRenderTarget(b);else if(he.__hasExternalTextures)Ue.rebindTextures(b,Ce.get(b.texture).__webglTexture,Ce.get(b.depthTexture).__webglTexture);else if(b.depthBuffer){let Fe=b.depthTexture;if(he.__boundDepthTexture!==Fe){if(Fe!==null&&Ce.has(Fe)&&(b.width!==Fe.image.width||b.height!==Fe.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");Ue.setupDepthRenderbuffer(b)}}let xe=b.texture;(xe.isData3DTexture||xe.isDataArrayTexture||xe.isCompressedArrayTexture)&&(ue=!0);let ve=Ce.get(b).__webglFramebuffer;b.isWebGLCubeRenderTarget?(Array.isArray(ve[L])?O=ve[L][k]:O=ve[L],z=!0):b.samples>0&&Ue.useMultisampledRTT(b)===!1?O=Ce.get(b).__webglMultisampledFramebuffer:Array.isArray(ve)?O=ve[k]:O=ve,ee.copy(b.viewport),Se.copy(b.scissor),Oe=b.scissorTest}else ee.copy(Ie).multiplyScalar(ge).floor(),Se.copy(je).multiplyScalar(ge).floor(),Oe=tt;if(k!==0&&(O=G),fe.bindFramebuffer(D.FRAMEBUFFER,O)&&fe.drawBuffers(b,O),fe.viewport(ee),fe.scissor(Se),fe.setScissorTest(Oe),z){let he=Ce.get(b.texture);D.framebufferTexture2D(D.FRAMEBUFFER,D.COLOR_ATTACHMENT0,D.TEXTURE_CUBE_MAP_POSITIVE_X+L,he.__webglTexture,k)}else if(ue){let he=L;for(let xe=0;xe<b.textures.length;xe++){let ve=Ce.get(b.textures[xe]);D.framebufferTextureLayer(D.FRAMEBUFFER,D.COLOR_ATTACHMENT0+xe,ve.__webglTexture,k,he)}}else if(b!==null&&k!==0){let he=Ce.get(b.texture);D.framebufferTexture2D(D.FRAMEBUFFER,D.COLOR_ATTACHMENT0,D.TEXTURE_2D,he.__webglTexture,k)}q=-1};function Ac(b){let L=Ce.get(b);return(L.__readFormat!==b.format||L.__readType!==b.type)&&(L.__readFormat=b.format,L.__readType=b.type,L.__formatReadable=lt.textureFormatReadable(b.format),L.__typeReadable=lt.textureTypeReadable(b.type)),L}this.readRenderTargetPixels=function(b,L,k,O,z,ue,ye,he=0){if(!(b&&b.isWebGLRenderTarget)){De("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let xe=Ce.get(b).__webglFramebuffer;if(b.isWebGLCubeRenderTarget&&ye!==void 0&&(xe=xe[ye],Array.isArray(xe)&&(xe=xe[0])),xe){fe.bindFramebuffer(D.FRAMEBUFFER,xe);try{let ve=b.textures[he],Fe=ve.format,We=ve.type;b.textures.length>1&&D.readBuffer(D.COLOR_ATTACHMENT0+he);let be=Ac(ve);if(be.__formatReadable===!1){De("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(be.__typeReadable===!1){De("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}L>=0&&L<=b.width-O&&k>=0&&k<=b.height-z&&D.readPixels(L,k,O,z,se.convert(Fe),se.convert(We),ue)}finally{let ve=ie!==null?Ce.get(ie).__webglFramebuffer:null;fe.bindFramebuffer(D.FRAMEBUFFER,ve)}}},this.readRenderTargetPixelsAsync=async function(b,L,k,O,z,ue,ye,he=0){if(!(b&&b.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let xe=Ce.get(b).__webglFramebuffer;if(b.isWebGLCubeRenderTarget&&ye!==void 0&&(xe=xe[ye],Array.isArray(xe)&&(xe=xe[0])),xe)if(L>=0&&L<=b.width-O&&k>=0&&k<=b.height-z){fe.bindFramebuffer(D.FRAMEBUFFER,xe);let ve=b.textures[he],Fe=ve.format,We=ve.type;b.textures.length>1&&D.readBuffer(D.COLOR_ATTACHMENT0+he);let be=Ac(ve);if(be.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(be.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let Xe=D.createBuffer();D.bindBuffer(D.PIXEL_PACK_BUFFER,Xe),D.bufferData(D.PIXEL_PACK_BUFFER,ue.byteLength,D.STREAM_READ),D.readPixels(L,k,O,z,se.convert(Fe),se.convert(We),0),D.bindBuffer(D.PIXEL_PACK_BUFFER,null);let ft=ie!==null?Ce.get(ie).__webglFramebuffer:null;fe.bindFramebuffer(D.FRAMEBUFFER,ft);let nt=D.fenceSync(D.SYNC_GPU_COMMANDS_COMPLETE,0);return D.flush(),await $u(D,nt,4),D.bindBuffer(D.PIXEL_PACK_BUFFER,Xe),D.getBufferSubData(D.PIXEL_PACK_BUFFER,0,ue),D.bindBuffer(D.PIXEL_PACK_BUFFER,null),D.deleteBuffer(Xe),D.deleteSync(nt),ue}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(b,L=null,k=0){let O=Math.pow(2,-k),z=Math.floor(b.image.width*O),ue=Math.floor(b.image.height*O),ye=L!==null?L.x:0,he=L!==null?L.y:0;Ue.setTexture2D(b,0),D.copyTexSubImage2D(D.TEXTURE_2D,k,0,0,ye,he,z,ue),fe.unbindTexture()},this.copyTextureToTexture=function(b,L,k=null,O=null,z=0,ue=0){let ye,he,xe,ve,Fe,We,be,Xe,ft,nt=b.isCompressedTexture?b.mipmaps[ue]:b.image;if(k!==null)ye=k.max.x-k.min.x,he=k.max.y-k.min.y,xe=k.isBox3?k.max.z-k.min.z:1,ve=k.min.x,Fe=k.min.y,We=k.isBox3?k.min.z:0;else{let Ye=Math.pow(2,-z);ye=Math.floor(nt.width*Ye),he=Math.floor(nt.height*Ye),b.isDataArrayTexture?xe=nt.depth:b.isData3DTexture?xe=Math.floor(nt.depth*Ye):xe=1,ve=0,Fe=0,We=0}O!==null?(be=O.x,Xe=O.y,ft=O.z):(be=0,Xe=0,ft=0);let it=se.convert(L.format),Lt=se.convert(L.type),Me;L.isData3DTexture?(Ue.setTexture3D(L,0),Me=D.TEXTURE_3D):L.isDataArrayTexture||L.isCompressedArrayTexture?(Ue.setTexture2DArray(L,0),Me=D.TEXTURE_2D_ARRAY):(Ue.setTexture2D(L,0),Me=D.TEXTURE_2D),fe.activeTexture(D.TEXTURE0),fe.pixelStorei(D.UNPACK_FLIP_Y_WEBGL,L.flipY),fe.pixelStorei(D.UNPACK_PREMULTIPLY_ALPHA_WEBGL,L.premultiplyAlpha),fe.pixelStorei(D.UNPACK_ALIGNMENT,L.unpackAlignment);let kt=fe.getParameter(D.UNPACK_ROW_LENGTH),$e=fe.getParameter(D.UNPACK_IMAGE_HEIGHT),_n=fe.getParameter(D.UNPACK_SKIP_PIXELS),Dt=fe.getParameter(D.UNPACK_SKIP_ROWS),Tr=fe.getParameter(D.UNPACK_SKIP_IMAGES);fe.pixelStorei(D.UNPACK_ROW_LENGTH,nt.width),fe.pixelStorei(D.UNPACK_IMAGE_HEIGHT,nt.height),fe.pixelStorei(D.UNPACK_SKIP_PIXELS,ve),fe.pixelStorei(D.UNPACK_SKIP_ROWS,Fe),fe.pixelStorei(D.UNPACK_SKIP_IMAGES,We);let Ki=b.isDataArrayTexture||b.isData3DTexture,bn=L.isDataArrayTexture||L.isData3DTexture;if(b.isDepthTexture){let Ye=Ce.get(b),Ct=Ce.get(L),mi=Ce.get(Ye.__renderTarget),ct=Ce.get(Ct.__renderTarget);fe.bindFramebuffer(D.READ_FRAMEBUFFER,mi.__webglFramebuffer),fe.bindFramebuffer(D.DRAW_FRAMEBUFFER,ct.__webglFramebuffer);for(let vt=0;vt<xe;vt++)Ki&&(D.framebufferTextureLayer(D.READ_FRAMEBUFFER,D.COLOR_ATTACHMENT0,Ce.get(b).__webglTexture,z,We+vt),D.framebufferTextureLayer(D.DRAW_FRAMEBUFFER,D.COLOR_ATTACHMENT0,Ce.get(L).__webglTexture,ue,ft+vt)),D.blitFramebuffer(ve,Fe,ve+ye,Fe+he,be,Xe,be+ye,Xe+he,D.DEPTH_BUFFER_BIT,D.NEAREST);fe.bindFramebuffer(D.READ_FRAMEBUFFER,null),fe.bindFramebuffer(D.DRAW_FRAMEBUFFER,null)}else if(z!==0||b.isRenderTargetTexture||Ce.has(b)){let Ye=Ce.get(b),Ct=Ce.get(L);fe.bindFramebuffer(D.READ_FRAMEBUFFER,P),fe.bindFramebuffer(D.DRAW_FRAMEBUFFER,V);for(let mi=0;mi<xe;mi++)Ki?D.framebufferTextureLayer(D.READ_FRAMEBUFFER,D.COLOR_ATTACHMENT0,Ye.__webglTexture,z,We+mi):D.framebufferTexture2D(D.READ_FRAMEBUFFER,D.COLOR_ATTACHMENT0,D.TEXTURE_2D,Ye.__webglTexture,z),bn?D.framebufferTextureLayer(D.DRAW_FRAMEBUFFER,D.COLOR_ATTACHMENT0,Ct.__webglTexture,ue,ft+mi):D.framebufferTexture2D(D.DRAW_FRAMEBUFFER,D.COLOR_ATTACHMENT0,D.TEXTURE_2D,Ct.__webglTexture,ue),z!==0?D.blitFramebuffer(ve,Fe,ve+ye,Fe+he,be,Xe,be+ye,Xe+he,D.COLOR_BUFFER_BIT,D.NEAREST):bn?D.copyTexSubImage3D(Me,ue,be,Xe,ft+mi,ve,Fe,ye,he):D.copyTexSubImage2D(Me,ue,be,Xe,ve,Fe,ye,he);fe.bindFramebuffer(D.READ_FRAMEBUFFER,null),fe.bindFramebuffer(D.DRAW_FRAMEBUFFER,null)}else bn?b.isDataTexture||b.isData3DTexture?D.texSubImage3D(Me,ue,be,Xe,ft,ye,he,xe,it,Lt,nt.data):L.isCompressedArrayTexture?D.compressedTexSubImage3D(Me,ue,be,Xe,ft,ye,he,xe,it,nt.data):D.texSubImage3D(Me,ue,be,Xe,ft,ye,he,xe,it,Lt,nt):b.isDataTexture?D.texSubImage2D(D.TEXTURE_2D,ue,be,Xe,ye,he,it,Lt,nt.data):b.isCompressedTexture?D.compressedTexSubImage2D(D.TEXTURE_2D,ue,be,Xe,nt.width,nt.height,it,nt.data):D.texSubImage2D(D.TEXTURE_2D,ue,be,Xe,ye,he,it,Lt,nt);fe.pixelStorei(D.UNPACK_ROW_LENGTH,kt),fe.pixelStorei(D.UNPACK_IMAGE_HEIGHT,$e),fe.pixelStorei(D.UNPACK_SKIP_PIXELS,_n),fe.pixelStorei(D.UNPACK_SKIP_ROWS,Dt),fe.pixelStorei(D.UNPACK_SKIP_IMAGES,Tr),ue===0&&L.generateMipmaps===!0&&L.mipmapsAutoUpdate===!0&&D.generateMipmap(Me),fe.unbindTexture()},this.initRenderTarget=function(b){Ce.get(b).__webglFramebuffer===void 0&&Ue.setupRenderTarget(b)},this.initTexture=function(b){b.isCubeTexture?Ue.setTextureCube(b,0):b.isData3DTexture?Ue.setTexture3D(b,0):b.isDataArrayTexture||b.isCompressedArrayTexture?Ue.setTexture2DArray(b,0):Ue.setTexture2D(b,0),fe.unbindTexture()},this.resetState=function(){Y=0,H=0,ie=null,fe.reset(),oe.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return di}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(e){this._outputColorSpace=e;let t=this.getContext();t.drawingBufferColorSpace=qe._getDrawingBufferColorSpace(e),t.unpackColorSpace=qe._getUnpackColorSpace()}};var Wh={light:{background:new Pe(16054008),grid:new Pe(10134704),line:new Pe(4871266),halo:"rgb(244 246 248 / 0.85)",text:"#28323f",quiet:"#5d6875"},dark:{background:new Pe(1382428),grid:new Pe(5068385),line:new Pe(11121856),halo:"rgb(21 24 28 / 0.85)",text:"#dde3ea",quiet:"#98a3af"}},Pa={joints:[.45,.48,.53],axes:[.88,.52,.08],constraints:[.7,.28,.62]},Xh={spring:[.24,.55,.38],damper:[.4,.44,.5],rod:[.5,.53,.58],line:[.5,.53,.58]},_s={loads:{force:[.85,.2,.16],torque:[.62,.24,.72]},reactions:{force:[.05,.52,.62],torque:[.2,.4,.85]}},Ia=[[.86,.22,.2],[.22,.6,.25],[.2,.4,.86]],Id=[.6,.62,.65],bs={selected:new Pe(1,.5,.02),hovered:new Pe(1,.8,.3)},qh={displacement:[[.19,.22,.53],[.15,.47,.62],[.2,.69,.46],[.8,.8,.2],[.86,.27,.14]],strain:[[.13,.3,.75],[.55,.68,.92],[.88,.88,.88],[.94,.6,.48],[.75,.1,.15]]},Yy=Object.fromEntries(Object.entries(qh).map(([n,e])=>[n,e.map(t=>new Pe().setRGB(...t,"srgb").toArray())]));function Ld(n,e,t,i){let s=Yy[n],r=Math.min(1,Math.max(0,e))*(s.length-1),o=Math.min(s.length-2,Math.floor(r)),a=r-o;for(let h=0;h<3;h++)t[i+h]=s[o][h]*(1-a)+s[o+1][h]*a}function jt(n,e=new Pe){return e.setRGB(n[0],n[1],n[2],"srgb")}var Dd=1e-6,$y=600,Zy=8,Jy=[["loads","force","force"],["loads","torque","torque"],["reactions","force","reaction force"],["reactions","torque","reaction torque"]],La=class{constructor({scene:e,player:t,stage:i}){Object.assign(this,{scene:e,player:t,stage:i}),this.largest=new Map;let s=e.notes.map(o=>W("li",{},Le(o,300))),r=jy(e.gravity);r&&s.push(W("li",{},r)),this.changing=W("ul",{}),this.element=W("details",{class:"fb-legend"},W("summary",{},"Legend"),this.changing,W("ul",{},...s)),this.hasNotes=s.length>0,this.isShort=s.reduce((o,{textContent:a})=>o+a.length,0)<=$y,t.on("layers options clip pose selection",()=>this.update()),this.update()}update(){let{scene:e,player:t}=this,i=[];e.bodies[t.follow]&&i.push([`The camera follows ${Le(e.bodies[t.follow].name,60)} (V).`]);for(let[s,r,o]of Jy){let a=t.layers.has(s)?this.largestArrow(s,r):null;a&&i.push([Nd(On(_s[s][r])),`${o}, up to ${st(a.size,3)} ${Le(a.unit,12)}`])}if(e.flexible.length&&i.push(...this.deformation()),e.together&&e.clips.length<=Zy)for(let{name:s,color:r}of e.clips)r&&i.push([Nd(On(r)),Le(s,60)]);this.changing.replaceChildren(...i.map(s=>W("li",{},...s))),this.element.hidden=!i.length&&!this.hasNotes}deformation(){let{player:e,stage:t}=this,{magnify:i,colouring:s}=e.options,r=[];if(i!==1&&r.push([`deformations ×${st(i,3)}`]),s!=="plain"&&t.flexible){let o=t.flexible.range(e.clip,s),a=s==="strain",h=W("i",{class:"fb-scale"});h.style.background=`linear-gradient(to right, ${qh[s].map(On).join(", ")})`,r.push([`${s} ${a?st(-o,3):0} `,h,` ${st(o,3)}${a?"":" m"}`])}return r}largestArrow(e,t){let{scene:i,player:s}=this,r=`${s.clip} ${e} ${t}`;if(!this.largest.has(r)){let o=i.together?i.clips:[s.current];this.largest.set(r,Ky(o,i.arrows,a=>a.layer===e&&a.kind===t))}return this.largest.get(r)}};function Ky(n,e,t){let i=0,s="";for(let r of n.filter(Boolean))e.forEach((o,a)=>{if(!t(o))return;let[h,l,c]=[0,1,2].map(u=>r.vectors.column(3*a+u));for(let u=0;u<h.length;u++){let d=Math.hypot(h[u],l[u],c[u]);d>i&&([i,s]=[d,o.unit])}});return i>0?{size:i,unit:s}:null}function jy(n){let e=Math.hypot(...n);return e>0?Math.hypot(n[0],n[1])<Dd*e?`gravity ${st(e,4)} m/s² along ${n[2]<0?"−z":"z"}`:`gravity (${n.map(t=>st(t,3,Dd*e)).join(", ")}) m/s²`:""}function Nd(n){let e=W("i",{class:"fb-dot"});return e.style.background=n,e}var Qy=["#0072B2","#D55E00","#009E73","#CC79A7","#56B4E9","#E69F00","#333333"],e_=["#3D9FE0","#E8743B","#1DB88C","#D98BB8","#8ACBF2","#EDB32E","#D5D5D5"],Ud=[[],[6,3],[1.5,2.5],[6,2,1.5,2]],t_=100,Od=40,Yh=24,jh=1e306,i_=1e-9,n_=1e-5,Gd=8,s_=7,$h=12,r_=1e-6,o_=46,a_=96,Yi=10,Fd=6,mn=18,Bd=12,l_=2,h_=7;function Zh(n,e=0,t=n.length-1){let i=1/0,s=-1/0;for(let r=e;r<=t;r++){let o=n[r];Math.abs(o)<jh&&(o<i&&(i=o),o>s&&(s=o))}return i<=s?[i,s]:null}function c_(n,e=0){if(!n)return[-1,1];let[t,i]=n,s=Math.max(Math.abs(t),Math.abs(i));if(s<=e)return[-1,1];if(i-t<i_*s)return[(t+i)/2-s/2,(t+i)/2+s/2];let r=.06*(i-t);return[t-r,i+r]}function u_(n,e,t,i){let s=t-e+1,r=[];if(s<=4*i){for(let o=e;o<=t;o++)r.push(o);return r}for(let o=0;o<i;o++){let a=e+Math.floor(o*s/i),h=e+Math.floor((o+1)*s/i),l=-1,c=-1,u=-1;for(let d=a;d<h;d++)Math.abs(n[d])<jh?((l<0||n[d]<n[l])&&(l=d),(c<0||n[d]>n[c])&&(c=d)):u=d;for(let d of[...new Set([l,c,u])].filter(f=>f>=0).sort((f,p)=>f-p))r.push(d)}return r[0]!==e&&r.unshift(e),r[r.length-1]!==t&&r.push(t),r}function Jh(n,e){let t=0,i=n.length;for(;t<i;){let s=t+i>>1;n[s]<e?t=s+1:i=s}return t}function d_(n,e,t){let i=n.length;if(!i||t<n[0]||t>n[i-1])return NaN;let s=Jh(n,t);for(;s+1<i&&n[s+1]===t;)s++;if(n[s]===t||s===0)return e[s];let r=(t-n[s-1])/(n[s]-n[s-1]);return e[s-1]*(1-r)+e[s]*r}function f_(n){let e=/^([^.]*\..+)\.(?:([vw]?)[xyz]|(q)[wxyz])$/s.exec(n??"");return e?`${e[1]}.${e[2]||e[3]||""}.`:n}var Hd=({range:n})=>n?Math.max(Math.abs(n[0]),Math.abs(n[1])):0;function p_(n){let e=new Map,t=new Map;n.forEach((h,l)=>{let c=`${h.unit} ${f_(h.key)??l}`;t.set(c,[...t.get(c)??[],h])});let i=[...t.values()].filter(([{unit:h}])=>!h).length;for(let h of t.values()){let{unit:l,key:c}=h[0],u=/\.q[wxyz]$/.test(c??""),d=l||!u&&i>Gd?l:h;e.set(d,[...e.get(d)??[],g_(h)])}let s=new Map(n.map((h,l)=>[h,l])),r=[...e.values()].flatMap(m_).map(h=>h.flatMap(({parts:l})=>l).sort((l,c)=>s.get(l)-s.get(c))),o=[],a=[];r.sort((h,l)=>s.get(h[0])-s.get(l[0]));for(let h of r){let l=h.filter(({noise:c})=>!c);l.length<h.length&&l.every(c=>Hd(c)===0)?(a.push(h.filter(({noise:c})=>c)),l.length&&o.push(l)):o.push(h)}return o.length?{panels:o,zeros:a.flat()}:{panels:a,zeros:[]}}function m_(n){let e=n.filter(({parts:i})=>i.length>1);return n.reduce((i,{parts:s})=>i+s.length,0)<=s_||e.length<2||e.length>Gd?zd(n):[...e.map(i=>[i]),...zd(n.filter(({parts:i})=>i.length===1))]}function g_(n){let e=n.map(({range:i})=>i).filter(Boolean),t=e.length?[Math.min(...e.map(i=>i[0])),Math.max(...e.map(i=>i[1]))]:null;return{parts:n,range:t,smallest:2*Math.max(...n.map(({smallest:i})=>i??0))}}function zd(n){let e=[],t=({range:a})=>a?a[1]-a[0]:0,i=({range:a})=>a?Math.max(Math.abs(a[0]),Math.abs(a[1])):0,s=a=>t(a)>Math.max(a.smallest??0,n_*i(a)),r=[...n].sort((a,h)=>s(h)-s(a)||t(h)-t(a));for(let a of r){let h=a.range??[0,0],l=null,c=1/0;for(let u of e){let d=Math.min(u.low,h[0]),f=Math.max(u.high,h[1]),p=s(a)?Math.min(u.smallest,t(a)):u.smallest;(p===1/0||f-d<=t_*p)&&f-d<c&&([l,c]=[u,f-d])}l||e.push(l={curves:[],low:1/0,high:-1/0,smallest:1/0}),l.curves.push(a),l.low=Math.min(l.low,h[0]),l.high=Math.max(l.high,h[1]),s(a)&&(l.smallest=Math.min(l.smallest,t(a)))}let o=new Map(n.map((a,h)=>[a,h]));for(let a of e)a.curves.sort((h,l)=>o.get(h)-o.get(l));return e.map(a=>a.curves).sort((a,h)=>o.get(a[0])-o.get(h[0]))}var Ms=class{constructor(e,{scene:t,player:i}){Object.assign(this,{holder:e,scene:t,player:i}),this.keys=[],this.panels=[],this.hover=null,this.span=null,i.on("time",()=>this.drawCursors()),i.on("clip",()=>this.show(this.keys)),i.on("options",()=>this.draw()),new ResizeObserver(()=>this.draw()).observe(e),this.seen=new IntersectionObserver(s=>s.forEach(({target:r,isIntersecting:o})=>this.panels.find(({area:a})=>a===r)?.setSeen(o)),{rootMargin:"80px"}),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>this.draw())}show(e){let{scene:t,player:i}=this,s=new Map(t.series.map((u,d)=>[u.key,d]));this.keys=e;let r=t.together?t.clips:t.clips.length?[i.current]:[];this.full=[i.start,i.end>i.start?i.end:i.start+1],this.span&&(this.span[0]<this.full[0]||this.span[1]>this.full[1])&&(this.span=null);let o=u=>{let d=t.series[s.get(u)],f=r.map(m=>({t:m.t,y:m.series.column(s.get(u)),color:t.together?m.color:null})),p=f.map(m=>Zh(m.y)).filter(Boolean),_=p.length?[Math.min(...p.map(m=>m[0])),Math.max(...p.map(m=>m[1]))]:null;return{key:u,label:d.label||u,unit:d.unit,smallest:d.smallest??0,noise:d.noise??0,lines:f,range:_}},a=u=>u.filter(d=>s.has(d)).map(o),h=u=>t.together?{panels:u.map(d=>[d]),zeros:[]}:p_(u),{panels:l,zeros:c}=Array.isArray(e[0])?{panels:e.map(a).filter(u=>u.length),zeros:[]}:h(a(e));this.left=o_,this.panels=l.map(u=>new Kh(this,u)),this.holder.replaceChildren(...this.panels.map(u=>u.element),...x_(c)),this.seen.disconnect();for(let{area:u}of this.panels)this.seen.observe(u);this.draw()}get interval(){return this.span??this.full??[0,1]}zoom(e,t){let[i,s]=this.full,r=(s-i)*1e-5;if(t-e>=(s-i)*.999)this.span=null;else{let o=Math.max(r,t-e),a=Math.min(Math.max(e,i),s-o);this.span=[a,a+o]}this.holder.dispatchEvent(new CustomEvent("fb-zoom")),this.draw()}zoomBy(e,t){let[i,s]=this.interval;this.zoom(t-(t-i)*e,t+(s-t)*e)}draw(){for(let e of this.panels)e.draw()}drawCursors(){for(let e of this.panels)e.drawCursor()}setHover(e){e!==this.hover&&(this.hover=e,this.drawCursors())}};function x_(n){if(!n.length)return[];let e=n.slice(0,$h).map(i=>`${Le(i.key,40)} (${[st(i.noise,1),Le(i.unit||"",16)].filter(Boolean).join(" ")})`),t=n.length>$h?` and ${n.length-$h} more`:"";return[W("p",{class:"fb-faint fb-zeros"},`zero to rounding: ${e.join(", ")}${t}`)]}var Kh=class{constructor(e,t){Object.assign(this,{plots:e,curves:t,top:Fd}),this.emphasised=null,this.unit=W("span",{class:"fb-plot-unit"}),this.values=[];let i=t.slice(0,Yh).map((s,r)=>{let o=W("span",{class:"fb-plot-value"}),a=W("i",{class:"fb-swatch"});this.values.push({value:o,swatch:a,curve:s});let h=l=>{this.emphasised=l?r:null,this.draw()};return W("span",{class:"fb-plot-name",title:Le(s.label,400),onpointerenter:()=>h(!0),onpointerleave:()=>h(!1)},a,W("bdi",{class:"fb-ellipsis"},Le(s.label)),o)});t.length>Yh&&i.push(W("span",{class:"fb-faint"},`and ${t.length-Yh} more`)),this.base=W("canvas"),this.overlay=W("canvas",{role:"img",tabindex:"0","aria-label":this.description()}),this.area=W("div",{class:"fb-plot-area"},this.base,this.overlay),this.element=W("div",{class:"fb-plot-panel"},W("div",{class:"fb-plot-head"},this.unit,W("div",{class:"fb-plot-names"},...i)),this.area),this.listen()}setSeen(e){this.hidden=!e,e&&this.draw()}description(){return`Plot over time of ${this.curves.slice(0,6).map(t=>Le(t.label,40)).join(", ")}${this.curves.length>6?" and others":""}${this.curves[0].unit?` in ${Le(this.curves[0].unit,20)}`:""}`}prepare(){let{width:e,height:t}=this.area.getBoundingClientRect(),i=Math.min(3,window.devicePixelRatio||1);if(e<60||t<40)return!1;if(this.width!==e||this.height!==t||this.ratio!==i){Object.assign(this,{width:e,height:t,ratio:i});for(let o of[this.base,this.overlay])o.width=Math.round(e*i),o.height=Math.round(t*i)}let s=getComputedStyle(this.area),r=(o,a)=>s.getPropertyValue(o).trim()||a;return this.ink={text:r("--fb-soft","#555"),grid:r("--fb-grid","#e4e4e4"),axis:r("--fb-faint","#888"),cursor:r("--fb-accent","#c00"),paper:r("--fb-paper","#fff"),font:s.fontFamily},this.colours=s.colorScheme.includes("dark")?e_:Qy,!0}x(e){let[t,i]=this.plots.interval;return this.left+(e-t)/(i-t)*(this.width-this.left-Yi)}timeAt(e){let[t,i]=this.plots.interval;return t+(e-this.left)/(this.width-this.left-Yi)*(i-t)}y(e){let[t,i]=this.limits;return this.top+(i-e)/(i-t)*(this.height-this.top-mn)}get left(){return this.plots.left}style(e){let t=this.colours.length;return{color:this.colours[e%t],dashes:Ud[Math.floor(e/t)%Ud.length]}}draw(){if(this.hidden||!this.prepare())return;let[e,t]=this.plots.interval,i=[];for(let l of this.curves)for(let c of l.lines){c.from=Math.max(0,Jh(c.t,e)-1),c.to=Math.min(c.t.length-1,Jh(c.t,t)+1);let u=Zh(c.y,c.from,c.to);u&&i.push(...u)}let s=i.length?Zh(i):null,r=Math.max(...this.curves.map(l=>l.smallest));this.limits=c_(s,r);let o=this.base.getContext("2d");o.setTransform(this.ratio,0,0,this.ratio,0,0),o.clearRect(0,0,this.width,this.height),o.font=`11px ${this.ink.font}`,this.eventNames=this.placeEventNames(o),this.top=Fd+Bd*this.eventNames.rows;let a=this.valueAxis(),h=Math.min(a_,Math.ceil(8+Math.max(0,...a.texts.map(l=>o.measureText(l).width))));if(h>this.left){this.plots.left=h,this.plots.draw();return}this.drawAxes(o,a),this.drawEvents(o),o.save(),o.beginPath(),o.rect(this.left,this.top-2,this.width-this.left-Yi,this.height-this.top-mn+4),o.clip(),this.curves.forEach((l,c)=>{let u=this.style(c);for(let d of l.lines)this.drawLine(o,d,d.color?On(d.color):u.color,u.dashes,c)}),o.restore(),this.curves.some(({noise:l})=>l)&&this.curves.every(l=>l.noise||Hd(l)===0)&&(o.fillStyle=this.ink.axis,o.textAlign="left",o.fillText(`zero: rounding errors below ${st(r,1)} ${Le(this.curves[0].unit||"",16)}`,this.left+6,this.top+10)),s||(o.fillStyle=this.ink.axis,o.textAlign="center",o.fillText(this.plots.scene.clips.length?"no finite values":"no recorded motion",(this.left+this.width)/2,this.height/2)),this.values.forEach(({swatch:l,curve:c},u)=>{let d=this.style(u),f=d.color;l.hidden=!!c.lines[0]?.color,l.style.borderTop=`2.5px ${d.dashes.length?d.dashes[0]<2?"dotted":"dashed":"solid"} ${f}`}),this.drawCursor()}valueAxis(){let[e,t]=this.limits,i=Math.max(3,Math.floor((this.height-mn-this.top)/30)),{values:s,step:r}=pl(e,t,i,3),o=Rc(Math.max(Math.abs(e),Math.abs(t))),a=10**-o;return{values:s,exponent:o,texts:s.map(h=>gi(h*a,ji(r*a)))}}drawAxes(e,{values:t,exponent:i,texts:s}){let r=this.height-mn,{left:o,top:a}=this,h=Le(this.curves[0].unit||"",16);Gt(this.unit,[i?`×10${Pc(i)}`:"",h].filter(Boolean).join(" ")),e.lineWidth=1,e.strokeStyle=this.ink.grid,e.fillStyle=this.ink.text,e.textAlign="right",e.textBaseline="middle",t.forEach((d,f)=>{let p=Math.round(this.y(d))+.5;Nn(e,o,p,this.width-Yi,p),e.fillText(s[f],o-5,p,o-6)});let[l,c]=this.plots.interval,u=pl(l,c,Math.max(2,Math.floor((this.width-o)/62)));e.textAlign="center",e.textBaseline="top",u.values.forEach((d,f)=>{let p=Math.round(this.x(d))+.5,_=f===u.values.length-1;Nn(e,p,a,p,r);let m=gi(d,ji(u.step))+(_?" s":""),g=e.measureText(m).width/2;e.fillText(m,Math.min(p,this.width-g-1),r+4)}),e.strokeStyle=this.ink.axis,Nn(e,o+.5,a,o+.5,r+.5),Nn(e,o,r+.5,this.width-Yi,r+.5)}get events(){let[e,t]=this.plots.interval;return(this.plots.player.current?.events??[]).filter(([i])=>i>=e&&i<=t)}placeEventNames(e){if(this.plots.panels[0]!==this)return{names:[],rows:0};let{events:t}=this,i=[],s=[],r=new Set,o=this.width-Yi,a=t.length>Od,h=(c,u,d,f)=>{let p=e.measureText(c).width,_=u+p>o&&u-p>=this.left?u-p:u,m=i.findIndex(M=>_>=M),g=m<0?i.length:m;g>=f||g&&r.has(d)||(r.add(d),i[g]=_+p+8,s.push({text:c,x:_,row:g}))};if(a)h(`${t.length} events: ${[...new Set(t.map(([,c])=>Le(c,30)))].slice(0,5).join(", ")}`,this.left,"",1);else for(let[c,u]of t)h(Le(u,40),this.x(c)+2,u,l_);let l=a?0:t.filter(([,c])=>!r.has(c)).length;return l&&s.push({text:`no room for the names of ${l} of ${t.length} events`,x:this.left,row:i.length}),{names:s,rows:i.length+(l?1:0)}}drawEvents(e){let{events:t,top:i}=this,s=this.height-mn,r=t.length>Od;e.strokeStyle=this.ink.axis,e.setLineDash(r?[]:[1.5,3]);for(let[o]of t){let a=Math.round(this.x(o))+.5;Nn(e,a,i,a,r?i+5:s)}e.setLineDash([]),e.fillStyle=this.ink.axis,e.textAlign="left",e.textBaseline="alphabetic";for(let{text:o,x:a,row:h}of this.eventNames.names)e.fillText(o,a,i-3-Bd*h,this.width-a)}drawLine(e,{t,y:i,from:s,to:r},o,a,h){let l=this.emphasised!==null&&this.emphasised!==h;e.strokeStyle=o,e.lineWidth=this.emphasised===h?2.4:1.5,e.globalAlpha=l?.2:1,e.lineJoin="round",e.setLineDash(a),e.beginPath();let c=!1,u=0,d=0,f=0;for(let p of u_(i,s,r,Math.ceil(this.width))){if(!(Math.abs(i[p])<jh)){c=!1;continue}d=this.x(t[p]),f=this.y(i[p]),c?e.lineTo(d,f):e.moveTo(d,f),c=!0,u++}e.stroke(),e.setLineDash([]),u===1&&kd(e,d,f,2.5,o),e.globalAlpha=1}drawCursor(){if(this.hidden||!this.width||!this.limits)return;let{hover:e,player:t}=this.plots,[i,s]=this.plots.interval,r=this.height-mn,o=this.overlay.getContext("2d"),a=e??t.t;if(o.setTransform(this.ratio,0,0,this.ratio,0,0),o.clearRect(0,0,this.width,this.height),this.selection){let[l,c]=this.selection;o.fillStyle=this.ink.cursor,o.globalAlpha=.14,o.fillRect(Math.min(l,c),this.top,Math.abs(c-l),r-this.top),o.globalAlpha=1}t.t>=i&&t.t<=s&&(o.strokeStyle=this.ink.cursor,o.lineWidth=1.5,Nn(o,this.x(t.t),this.top-2,this.x(t.t),r)),e!==null&&e>=i&&e<=s&&this.drawHover(o,e,r);let h=this.plots.scene.together;this.values.forEach(({value:l,curve:c},u)=>{let d=c.lines.map(_=>d_(_.t,_.y,a)).filter(_=>_===_),f=c.range?Math.max(c.smallest,r_*Math.max(Math.abs(c.range[0]),Math.abs(c.range[1]))):0;!h&&d.length&&a>=i&&a<=s&&kd(o,this.x(a),this.y(d[0]),3,this.style(u).color,this.ink.paper);let p=d.length?h?`${st(Math.min(...d),3,f)} … ${st(Math.max(...d),3,f)}`:st(d[0],4,f):"–";Gt(l,p)})}drawHover(e,t,i){let s=this.x(t),[r,o]=this.plots.interval;e.strokeStyle=this.ink.axis,e.lineWidth=1,Nn(e,s,this.top,s,i);let a=`${gi(t,ji((o-r)/500))} s`;e.font=`11px ${this.ink.font}`;let h=e.measureText(a).width/2+4,l=Math.max(this.left+h,Math.min(this.width-h,s));e.fillStyle=this.ink.paper,e.fillRect(l-h,i+2,2*h,mn-2),e.fillStyle=this.ink.text,e.textAlign="center",e.textBaseline="top",e.fillText(a,l,i+4)}listen(){let e=this.overlay,t=new Map,{plots:i}=this,{player:s}=i,r=null,o=null,a=u=>u.clientX-this.area.getBoundingClientRect().left,h=u=>Math.abs(u-this.x(s.t))<=h_,l=u=>{s.pause(),s.seek(this.timeAt(u))};e.addEventListener("pointerdown",u=>{if(!this.limits||u.button>0)return;e.setPointerCapture(u.pointerId),t.set(u.pointerId,a(u));let d=a(u),f=u.clientY-this.area.getBoundingClientRect().top>this.height-mn;t.size===2?(r="pinch",o={xs:[...t.values()],interval:[...i.interval]},this.selection=null):u.pointerType==="touch"||h(d)||f?(r="seek",l(d)):(r="select",this.selection=[d,d])}),e.addEventListener("pointermove",u=>{let d=a(u);if(!t.has(u.pointerId)){this.limits&&u.pointerType!=="touch"&&(e.style.cursor=h(d)?"ew-resize":"crosshair",i.setHover(d>=this.left&&d<=this.width-Yi?this.timeAt(d):null));return}t.set(u.pointerId,d),r==="seek"?l(d):r==="select"?(this.selection[1]=Math.max(this.left,Math.min(this.width-Yi,d)),i.setHover(this.timeAt(this.selection[1]))):r==="pinch"&&t.size===2&&this.pinch(o,[...t.values()])});let c=u=>{if(t.delete(u.pointerId)){if(r==="select"&&this.selection){let[d,f]=this.selection;this.selection=null,u.type==="pointerup"&&Math.abs(f-d)<5?l(d):u.type==="pointerup"?i.zoom(this.timeAt(Math.min(d,f)),this.timeAt(Math.max(d,f))):this.drawCursor()}t.size||(r=null)}};e.addEventListener("pointerup",c),e.addEventListener("pointercancel",c),e.addEventListener("pointerleave",()=>i.setHover(null)),e.addEventListener("dblclick",()=>i.zoom(-1/0,1/0)),e.addEventListener("wheel",u=>{if(!(u.ctrlKey||document.activeElement===e)||!this.limits)return;u.preventDefault();let[d,f]=i.interval,p=u.shiftKey&&u.deltaY||u.deltaX;Math.abs(p)>Math.abs(u.shiftKey?0:u.deltaY)?i.zoom(d+(f-d)*p/600,f+(f-d)*p/600):i.zoomBy(Math.exp(Math.max(-1,Math.min(1,u.deltaY/300))),this.timeAt(a(u)))},{passive:!1})}pinch({xs:e,interval:[t,i]},s){let r=this.width-this.left-Yi,o=u=>t+(u-this.left)/r*(i-t),a=s[1]-s[0],h=o(e[1])-o(e[0]);if(Math.abs(a)<8||h/a<=0)return;let l=h/a,c=o(e[0])-(s[0]-this.left)*l;this.plots.zoom(c,c+r*l)}};function Nn(n,e,t,i,s){n.beginPath(),n.moveTo(e,t),n.lineTo(i,s),n.stroke()}function kd(n,e,t,i,s,r=null){n.beginPath(),n.arc(e,t,i,0,2*Math.PI),n.fillStyle=s,n.fill(),r&&(n.strokeStyle=r,n.lineWidth=1,n.stroke())}var Vd={q:"coordinates",u:"speeds",u_dot:"accelerations",z:"states",input:"inputs",output:"outputs",energy:"energies",momentum:"momenta",load:"loads",pose:"poses",power:"powers",work:"works",multiplier:"multipliers",residual:"residuals",residual_rate:"residual rates",engaged:"switched constraints",captured:"captured poses"},Qh=250,y_=["q","u","energy"],__=6,b_=2,M_=28,Da=class{constructor(e){let{scene:t}=e;this.scene=t,this.chosen=new Set(S_(t)),this.holder=W("div",{class:"fb-plots"}),this.list=W("div",{class:"fb-choices"}),this.search=W("input",{type:"search",class:"fb-search",placeholder:`Find among ${t.series.length} variables`,"aria-label":"Find a variable",oninput:()=>this.showList()}),this.chooser=W("div",{class:"fb-chooser",hidden:!0},this.search,this.list),this.choose=W("button",{class:"fb-button",type:"button","aria-expanded":"false",onclick:()=>this.toggleChooser()},"Choose"),this.whole=W("button",{class:"fb-button",type:"button",hidden:!0,onclick:()=>this.plots.zoom(-1/0,1/0)},"Whole time"),this.tools=[this.whole,this.choose],this.hint=W("p",{class:"fb-faint fb-hint"},"Click: go to a time. Drag: zoom. Double-click: whole time."),this.element=W("div",{class:"fb-panel"},this.chooser,this.holder,this.hint),this.plots=new Ms(this.holder,e),this.holder.addEventListener("fb-zoom",()=>this.whole.hidden=!this.plots.span),this.showPlots()}showPlots(){this.plots.show(this.scene.series.map(({key:e})=>e).filter(e=>this.chosen.has(e))),this.chosen.size||this.holder.replaceChildren(W("p",{class:"fb-faint"},"No variable is chosen."))}toggleChooser(e=this.chooser.hidden){this.chooser.hidden=!e,this.choose.setAttribute("aria-expanded",String(e)),this.choose.textContent=e?"Done":"Choose",e&&(this.showList(),this.search.focus())}showList(){let e=this.search.value.toLowerCase().split(/\s+/).filter(Boolean),t=this.scene.series.filter(({key:r,label:o,group:a,unit:h})=>{let l=`${r} ${o} ${Vd[a]??a} ${h}`.toLowerCase();return e.every(c=>l.includes(c))}),i=new Map;for(let r of t.slice(0,Qh))i.set(r.group,[...i.get(r.group)??[],r]);let s=[...i].map(([r,o])=>this.section(r,o));t.length>Qh&&s.push(W("p",{class:"fb-faint"},`and ${t.length-Qh} more; type to find them`)),t.length||s.push(W("p",{class:"fb-faint"},"No variable matches.")),this.list.replaceChildren(...s)}section(e,t){let i=t.map(a=>{let h=W("input",{type:"checkbox",onchange:()=>this.set([a.key],h.checked)});h.checked=this.chosen.has(a.key);let l=a.unit?W("span",{class:"fb-faint"},Le(a.unit,16)):null;return W("label",{class:"fb-check",title:Le(a.key,400)},h,W("bdi",{class:"fb-ellipsis fb-grow"},Le(a.label||a.key)),l)}),s=t.every(a=>this.chosen.has(a.key)),r=t.slice(0,M_),o=W("button",{class:"fb-link",type:"button",onclick:()=>this.set((s?t:r).map(({key:a})=>a),!s,!0)},s?"none":t.length>r.length?`first ${r.length}`:"all");return W("section",{class:"fb-group"},W("h3",{},W("bdi",{class:"fb-ellipsis"},Le(Vd[e]??(e||"variables"))),o),...i)}set(e,t,i=!1){for(let s of e)t?this.chosen.add(s):this.chosen.delete(s);this.showPlots(),i&&this.showList()}};function S_(n){let e=n.together?b_:__,t=y_.map(s=>n.series.filter(({key:r})=>r.startsWith(`${s}.`)).slice(0,e)).flat(),i=n.series.filter(s=>s.group===n.series[0].group).slice(0,e);return(t.length?t:i).map(({key:s})=>s)}var v_=["x","y","z"],w_=10;function ec({quaternion:n,follows:e}){return n||!e}var Na=class{constructor(e,{player:t},i){Object.assign(this,{motion:e,player:t,onPose:i}),this.rows=[],this.list=W("div",{class:"fb-sliders"});let s=W("input",{type:"search",class:"fb-search",placeholder:"Find a coordinate","aria-label":"Find a coordinate",oninput:()=>this.filter(s.value)}),r=W("button",{class:"fb-button",type:"button",onclick:()=>this.reset()},"Reset");this.build();let o=W("p",{class:"fb-faint fb-hint"},this.summary());this.tools=[r],this.element=W("div",{class:"fb-panel"},...this.rows.length>12?[s]:[],this.list,o),t.on("selection",()=>this.markSelected()),t.on("pose",()=>this.rows.forEach(a=>this.show(a)))}summary(){return`Double-click a slider for its initial value.${this.motion.loops.length?" Closed loops stay closed: other coordinates follow.":""}`}build(){let{motion:e}=this,t=new Map;for(let o=0;o<e.coordinates.length;o++){let a=e.coordinates[o];t.has(a.body)||t.set(a.body,[]);let h=t.get(a.body);a.quaternion?(v_.forEach((l,c)=>h.push(this.rotationRow(o,c,l))),o+=3):ec(a)&&h.push(this.coordinateRow(o))}for(let[o,a]of t){if(!a.length)continue;let h=a.length>1?[W("h3",{},W("bdi",{class:"fb-ellipsis"},Le(o)))]:[],l=W("section",{class:h.length?"fb-group":""},...h,...a.map(c=>c.element));a.forEach(c=>c.body=o),this.rows.push(...a),this.list.append(l)}let i=({name:o})=>o.length>w_,s=[...t.values()].filter(o=>o.length>1),r=[...t.values()].filter(o=>o.length===1).flat();for(let o of[...s,r])o.some(i)&&o.forEach(({element:a})=>a.classList.add("fb-long"))}coordinateRow(e){let{name:t,body:i,unit:s,low:r,high:o}=this.motion.coordinates[e];return this.row(t.startsWith(`${i}.`)?t.slice(i.length+1):t,s,r,o,()=>this.motion.q[e],a=>this.motion.set(e,a))}rotationRow(e,t,i){let{motion:s}=this,r=this.vectors??(this.vectors=new Map);r.has(e)||r.set(e,s.rotation(e));let o=()=>{let h=r.get(e),l=s.rotation(e);return s.differs(e,h)&&r.set(e,l),r.get(e)},a=h=>{let l=[...o()];return l[t]=h,r.set(e,l),s.setRotation(e,l)};return this.row(`about ${i}`,"rad",-Math.PI,Math.PI,()=>o()[t],a)}row(e,t,i,s,r,o){let a=t==="rad",h=a?180/Math.PI:1,l=a?"°":t,c=W("input",{type:"range",class:"fb-range",step:"any","aria-label":Le(`${e} ${l}`)}),u=W("input",{type:"text",inputmode:"decimal",class:"fb-number","aria-label":Le(`${e}, number`),spellcheck:"false",autocomplete:"off"}),d=W("div",{class:"fb-why",role:"status"}),p={element:W("div",{class:"fb-slider"},W("button",{class:"fb-link",type:"button",title:Le(e,400),onclick:()=>this.select(p.body)},W("bdi",{class:"fb-ellipsis"},Le(e))),c,u,W("span",{class:"fb-unit"},Le(l,12)),d),name:e,read:r,why:d,slider:c,number:u,factor:h},_=m=>{this.rows.forEach(T=>Gt(T.why,""));let g=Math.max(i,Math.min(s,m)),M=o(g);Gt(d,M||(g!==m?`its range is ${st(i*h,4)} to ${st(s*h,4)} ${l}`:"")),this.onPose()};return c.addEventListener("input",()=>_(c.valueAsNumber)),c.addEventListener("dblclick",()=>_(p.initial)),u.addEventListener("change",()=>{let m=Number(u.value.replace("−","-").replace(",",".").trim());u.value.trim()===""||!Number.isFinite(m)?(Gt(d,"not a number"),this.show(p,!0)):_(m/h)}),u.addEventListener("keydown",m=>{m.key==="Enter"&&u.blur()}),p.initial=r(),c.min=String(i),c.max=String(s),this.show(p),p}show(e,t=!1){let i=e.read();i<+e.slider.min&&(e.slider.min=String(i)),i>+e.slider.max&&(e.slider.max=String(i)),e.slider.value=String(i),(t||document.activeElement!==e.number)&&(e.number.value=st(i*e.factor,4,1e-9))}reset(){this.motion.reset(),this.vectors?.clear();for(let e of this.motion.quaternions)this.vectors?.set(e,this.motion.rotation(e));this.rows.forEach(e=>Gt(e.why,"")),this.onPose()}filter(e){let t=e.trim().toLowerCase();for(let i of this.rows)i.element.hidden=!`${i.name} ${i.body}`.toLowerCase().includes(t);for(let i of this.list.children)i.hidden=[...i.querySelectorAll(".fb-slider")].every(s=>s.hidden)}select(e){let{player:t}=this,i=t.scene.bodies.findIndex(s=>s.name===e);t.select(t.selected===i?-1:i)}markSelected(){let e=this.player.scene.bodies[this.player.selected]?.name;for(let t of this.rows)t.element.classList.toggle("fb-marked",t.body===e);this.rows.find(t=>t.body===e)?.element.scrollIntoView({block:"nearest"})}};var Wd=`:where(.fb-view) { height: 60vh; min-height: 22rem; }
:where(.fb-view, .fb-plot) {
  --fb-paper: #ffffff; --fb-card: rgb(255 255 255 / 0.93); --fb-ink: #1d2430; --fb-soft: #56606e; --fb-faint: #838d9b;
  --fb-line: #dde2e9; --fb-grid: #e9ecf1; --fb-hover: #edf1f5; --fb-accent: #0b63a5; --fb-on-accent: #ffffff; --fb-warn: #a34b00;
  --fb-shadow: 0 1px 2px rgb(20 30 45 / 0.08), 0 4px 16px rgb(20 30 45 / 0.08); --fb-stage: #f4f6f8;
  color-scheme: light;
}
:where(.fb-view, .fb-plot)[data-theme="dark"] {
  --fb-paper: #1a1f26; --fb-card: rgb(29 34 42 / 0.93); --fb-ink: #e6eaf0; --fb-soft: #a9b3c0; --fb-faint: #7d8896;
  --fb-line: #343d49; --fb-grid: #2a313b; --fb-hover: #2a313b; --fb-accent: #63b0ee; --fb-on-accent: #0d1116; --fb-warn: #f0a35c;
  --fb-shadow: 0 1px 2px rgb(0 0 0 / 0.4), 0 4px 16px rgb(0 0 0 / 0.3); --fb-stage: #15181c;
  color-scheme: dark;
}
.fb-view, .fb-plot {
  font: 13px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
  color: var(--fb-ink); font-variant-numeric: tabular-nums; text-align: left; overflow-wrap: normal;
}
.fb-view *, .fb-plot * { box-sizing: border-box; }
.fb-view [hidden], .fb-plot [hidden] { display: none !important; }
.fb-view {
  position: relative; display: grid; overflow: hidden; background: var(--fb-stage); outline: none; isolation: isolate;
  grid-template: minmax(0, 1fr) auto / minmax(0, 1fr) auto;
  -webkit-tap-highlight-color: transparent;
}
.fb-view[data-narrow] { grid-template: minmax(0, 1fr) auto auto / minmax(0, 1fr); }
.fb-view[data-bare] { display: block; }
.fb-stage { grid-area: 1 / 1; position: relative; min-width: 0; min-height: 0; overflow: hidden; }
.fb-view[data-bare] .fb-stage { height: 100%; }
.fb-stage canvas { display: block; touch-action: none; outline: none; }
.fb-over { grid-area: 1 / 1; position: relative; pointer-events: none; min-width: 0; overflow: hidden; }
.fb-over > * { pointer-events: auto; position: absolute; }

.fb-view :where(h1, h2, h3, p, dl, dt, dd, ul, li, section, header, aside) { margin: 0; padding: 0; border: 0; font: inherit; color: inherit; max-width: none; letter-spacing: 0; background: none; }
.fb-view :where(h1, h2) { font-weight: 620; }
.fb-view :where(h1) { font-size: 15px; }
.fb-view :where(h2) { font-size: 14px; min-width: 0; flex: 1; display: flex; }
.fb-view :where(h3) { font-size: 12px; font-weight: 600; color: var(--fb-soft); }
.fb-view :where(ul) { list-style: none; }
.fb-ellipsis { display: inline-block; max-width: 100%; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; unicode-bidi: isolate; }
.fb-grow { flex: 1; min-width: 0; }
.fb-faint { color: var(--fb-faint); }
.fb-card { background: var(--fb-card); border-radius: 10px; box-shadow: var(--fb-shadow); backdrop-filter: blur(6px); }
.fb-view :focus-visible, .fb-plot :focus-visible { outline: 2px solid var(--fb-accent); outline-offset: 1px; }

.fb-view :where(button, select, input) { font: inherit; color: inherit; margin: 0; }
.fb-icon, .fb-button, .fb-link { border: 0; background: none; cursor: pointer; padding: 0; }
.fb-icon { width: 36px; height: 36px; display: inline-grid; place-items: center; border-radius: 8px; color: var(--fb-soft); }
.fb-icon:hover { background: var(--fb-hover); color: var(--fb-ink); }
.fb-icon[aria-pressed="true"] { color: var(--fb-accent); }
.fb-icon:disabled { opacity: 0.4; cursor: default; }
.fb-lined { fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.fb-filled { fill: currentColor; }
.fb-button { min-height: 30px; padding: 0 10px; border: 1px solid var(--fb-line); border-radius: 8px; background: var(--fb-paper); }
.fb-button:hover { background: var(--fb-hover); }
.fb-button[aria-pressed="true"] { background: var(--fb-accent); border-color: var(--fb-accent); color: var(--fb-on-accent); }
.fb-link { color: var(--fb-accent); min-width: 0; max-width: 100%; text-align: left; }
.fb-link:hover { text-decoration: underline; }
.fb-buttons { display: flex; gap: 4px; align-items: center; }
.fb-select { height: 32px; min-width: 0; max-width: 100%; padding: 0 4px; border: 1px solid transparent; border-radius: 8px; background: transparent; cursor: pointer; text-overflow: ellipsis; }
.fb-select:hover { background: var(--fb-hover); }
.fb-select option { background: var(--fb-paper); color: var(--fb-ink); }
.fb-search, .fb-number { border: 1px solid var(--fb-line); border-radius: 7px; background: var(--fb-paper); height: 30px; padding: 0 8px; min-width: 0; width: 100%; }
.fb-view kbd { font: 11px/1 ui-monospace, "SFMono-Regular", Menlo, "Liberation Mono", monospace; color: var(--fb-faint); padding: 2px 5px; border: 1px solid var(--fb-line); border-radius: 4px; background: none; }

.fb-range { appearance: none; -webkit-appearance: none; width: 100%; height: 24px; background: none; cursor: pointer; min-width: 0; --fb-done: 0%; }
.fb-range::-webkit-slider-runnable-track { height: 4px; border-radius: 2px; background: var(--fb-line); }
.fb-range::-moz-range-track { height: 4px; border-radius: 2px; background: var(--fb-line); }
.fb-time::-webkit-slider-runnable-track { background: linear-gradient(to right, var(--fb-accent) var(--fb-done), var(--fb-line) var(--fb-done)); }
.fb-range::-moz-range-progress { height: 4px; border-radius: 2px; background: var(--fb-accent); }
.fb-range::-webkit-slider-thumb { -webkit-appearance: none; width: 16px; height: 16px; margin-top: -6px; border-radius: 50%; background: var(--fb-accent); border: 2px solid var(--fb-paper); box-shadow: 0 0 0 1px rgb(0 0 0 / 0.12); }
.fb-range::-moz-range-thumb { width: 12px; height: 12px; border-radius: 50%; background: var(--fb-accent); border: 2px solid var(--fb-paper); }
.fb-range:disabled { opacity: 0.4; cursor: default; }

.fb-heading { left: 14px; top: 12px; max-width: calc(100% - 270px); pointer-events: none; }
.fb-heading p { color: var(--fb-soft); }
.fb-heading :is(h1, p) { display: flex; }
.fb-tools { right: 10px; top: 10px; display: flex; padding: 2px; }
.fb-menu { right: 10px; top: 56px; padding: 8px 6px; width: 236px; max-height: calc(100% - 66px); overflow: auto; z-index: 3; }
.fb-check { display: flex; align-items: center; gap: 8px; min-height: 28px; padding: 0 8px; border-radius: 6px; cursor: pointer; min-width: 0; }
.fb-check:hover { background: var(--fb-hover); }
.fb-check > span:not(.fb-faint) { flex: 1; min-width: 0; }
.fb-check input { accent-color: var(--fb-accent); width: 15px; height: 15px; flex: none; }
.fb-options { border-top: 1px solid var(--fb-line); margin-top: 6px; padding: 8px 8px 0; display: grid; gap: 4px; grid-template-columns: minmax(0, 1fr); }
.fb-option { display: flex; align-items: center; gap: 8px; min-width: 0; }
.fb-option > span:first-child { flex: none; width: 82px; color: var(--fb-soft); }
.fb-option .fb-select { flex: 1; width: 0; border-color: var(--fb-line); }
.fb-option .fb-range { flex: 1; width: 0; }
.fb-option .fb-plot-value { flex: none; min-width: 3em; text-align: right; }

.fb-info { left: 12px; top: 62px; width: 290px; max-height: calc(100% - 120px); padding: 8px 12px 12px; overflow: auto; z-index: 2; }
.fb-info header, .fb-dock header, .fb-help header { display: flex; align-items: center; gap: 6px; min-height: 36px; padding: 0; margin: 0; max-width: none; }
.fb-info header .fb-icon, .fb-dock header .fb-icon { margin-right: -8px; flex: none; }
.fb-facts { display: grid; grid-template-columns: minmax(3.5rem, max-content) minmax(0, 1fr); gap: 3px 12px; }
.fb-facts dt { color: var(--fb-soft); max-width: 110px; min-width: 0; overflow: hidden; }
.fb-facts dd { min-width: 0; overflow: hidden; text-overflow: ellipsis; overflow-wrap: anywhere; }
.fb-facts .fb-caption { grid-column: 1 / -1; max-width: none; font-size: 12px; font-weight: 600; padding-top: 4px; }
.fb-info > .fb-buttons { margin-top: 10px; }

.fb-legend { left: 14px; bottom: 10px; max-width: min(360px, calc(100% - 28px)); max-height: 45%; overflow: auto; color: var(--fb-soft); font-size: 12px; }
.fb-view .fb-legend, .fb-view .fb-legend summary { margin: 0; padding: 0; border: 0; background: none; font-weight: inherit; }
.fb-legend, .fb-heading { text-shadow: 0 0 2px var(--fb-stage), 0 0 3px var(--fb-stage), 0 0 5px var(--fb-stage); }
.fb-legend summary { cursor: pointer; width: max-content; color: var(--fb-faint); border-radius: 4px; list-style: none; }
.fb-legend summary::-webkit-details-marker { display: none; }
.fb-legend summary::before { content: "▸ "; }
.fb-legend[open] summary::before { content: "▾ "; }
.fb-legend li { overflow-wrap: anywhere; }
.fb-dot { display: inline-block; width: 14px; height: 4px; border-radius: 2px; margin-right: 6px; vertical-align: middle; }
.fb-scale { display: inline-block; width: 90px; height: 8px; border-radius: 4px; vertical-align: middle; }
.fb-message { inset: 0; margin: auto; width: min(26rem, 90%); height: max-content; text-align: center; color: var(--fb-soft); padding: 1rem; }

.fb-dock { grid-area: 1 / 2; width: var(--fb-dock-width, clamp(280px, 31vw, 420px)); min-height: 0; display: flex; flex-direction: column; background: var(--fb-paper); border-left: 1px solid var(--fb-line); position: relative; }
.fb-dock header { padding: 6px 12px 4px 14px; flex: none; }
.fb-dock header h2 { flex: none; }
.fb-dock-tools { flex: 1; min-width: 0; display: flex; gap: 6px; justify-content: flex-end; align-items: center; }
.fb-dock-body { flex: 1; min-height: 0; overflow: auto; padding: 2px 14px 14px; overscroll-behavior: contain; }
.fb-grip { position: absolute; z-index: 2; left: -5px; top: 0; bottom: 0; width: 9px; cursor: ew-resize; touch-action: none; }
.fb-panel { display: grid; gap: 8px; grid-template-columns: minmax(0, 1fr); }

.fb-bar { grid-area: 2 / 1 / 3 / 3; display: flex; align-items: center; gap: 4px 10px; padding: 6px 12px; background: var(--fb-paper); border-top: 1px solid var(--fb-line); min-width: 0; position: relative; z-index: 4; }
.fb-bar .fb-buttons { gap: 0; }
.fb-clips { max-width: 16rem; border-color: var(--fb-line); }
.fb-track { flex: 1; position: relative; min-width: 120px; display: flex; }
.fb-clock { min-width: 8.5em; text-align: right; color: var(--fb-soft); white-space: nowrap; }
.fb-marks { position: absolute; inset: 0 8px; pointer-events: none; }
.fb-mark { position: absolute; left: calc(100% * var(--fb-at)); top: -3px; width: 10px; height: 12px; margin-left: -5px; border: 0; padding: 0; background: none; cursor: pointer; pointer-events: auto; }
.fb-mark::after { content: ""; position: absolute; left: 4px; top: 2px; width: 2px; height: 8px; border-radius: 1px; background: var(--fb-warn); }
.fb-tip { position: absolute; bottom: 100%; margin-bottom: 6px; transform: translateX(-50%); background: var(--fb-ink); color: var(--fb-paper); border-radius: 7px; padding: 5px 9px; font-size: 12px; width: max-content; max-width: 18rem; overflow-wrap: anywhere; pointer-events: none; z-index: 5; }

.fb-group { display: grid; grid-template-columns: minmax(0, 1fr); padding: 2px 0 6px; }
.fb-group h3 { display: flex; gap: 8px; align-items: baseline; justify-content: space-between; padding: 6px 0 2px; min-width: 0; }
.fb-group h3 .fb-link { font-weight: 400; flex: none; }
.fb-slider { display: grid; grid-template-columns: minmax(0, 7fr) minmax(80px, 6fr) 72px 1.7em; align-items: center; gap: 0 8px; min-height: 32px; }
.fb-slider .fb-unit { color: var(--fb-soft); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; margin-left: -3px; }
.fb-slider .fb-link { color: inherit; }
.fb-slider.fb-long { grid-template-columns: minmax(0, 1fr) 72px 1.7em; margin-bottom: 6px; }
.fb-long .fb-link { grid-column: 1 / -1; }
.fb-slider.fb-marked .fb-link { color: var(--fb-accent); font-weight: 600; }
.fb-number { text-align: right; height: 26px; padding: 0 6px; }
.fb-why { grid-column: 1 / -1; color: var(--fb-warn); font-size: 12px; overflow-wrap: anywhere; }
.fb-why:empty { display: none; }

.fb-chooser { border: 1px solid var(--fb-line); border-radius: 9px; padding: 8px; display: grid; gap: 4px; grid-template-columns: minmax(0, 1fr); }
.fb-choices { max-height: min(340px, 45vh); overflow: auto; overscroll-behavior: contain; }
.fb-choices .fb-check { padding: 0 4px; min-height: 26px; }
.fb-hint { font-size: 12px; }

.fb-plot { background: var(--fb-plot-paper, transparent); }
.fb-plots { display: grid; gap: 10px; grid-template-columns: minmax(0, 1fr); }
.fb-plot-panel { min-width: 0; }
.fb-zeros { margin: 0; font-size: 11px; overflow-wrap: anywhere; }
.fb-plot-head { display: flex; gap: 10px; align-items: baseline; padding-bottom: 2px; font-size: 12px; }
.fb-plot-names { display: flex; flex-wrap: wrap; gap: 1px 12px; align-items: baseline; min-width: 0; }
.fb-plot-unit { min-width: 42px; text-align: right; color: var(--fb-soft); flex: none; max-width: 45%; overflow-wrap: anywhere; }
.fb-plot-name { display: inline-flex; align-items: baseline; gap: 5px; min-width: 0; max-width: 100%; cursor: default; }
.fb-plot-name .fb-ellipsis { max-width: 15em; }
.fb-swatch { width: 16px; height: 0; flex: none; align-self: center; }
.fb-plot-value { color: var(--fb-soft); white-space: nowrap; min-width: 3.6em; }
.fb-plot-area { position: relative; height: 150px; min-width: 0; }
.fb-plot-area canvas { position: absolute; inset: 0; width: 100%; height: 100%; }
.fb-plot-area canvas:last-child { touch-action: pan-y; cursor: crosshair; border-radius: 4px; }
.fb-plot .fb-plot-area { height: 190px; }
.fb-plot[data-live] > :not(.fb-plots) { display: none; }
@media print {
  .fb-plot[data-live] > .fb-plots { display: none; }
  .fb-plot[data-live] > :not(.fb-plots) { display: revert; }
}

.fb-help { position: absolute; inset: 0; z-index: 10; background: rgb(10 15 22 / 0.28); display: grid; place-items: center; padding: 12px; overflow: hidden; }
.fb-help-card { background: var(--fb-paper); max-width: 760px; max-height: 100%; overflow: auto; padding: 8px 20px 20px; outline: none !important; }
.fb-columns { columns: 2 300px; column-gap: 32px; }
.fb-columns section { break-inside: avoid; padding-bottom: 10px; }
.fb-help dl { display: grid; grid-template-columns: minmax(84px, max-content) minmax(0, 1fr); gap: 4px 12px; padding-top: 4px; }
.fb-help dt { display: flex; gap: 4px; flex-wrap: wrap; align-items: center; }
.fb-help dt em { font-style: normal; color: var(--fb-faint); }

.fb-view[data-narrow] :is(.fb-button, .fb-search, .fb-select) { min-height: 36px; }
.fb-view[data-narrow] .fb-check { min-height: 38px; }
.fb-view[data-narrow] .fb-check input { width: 18px; height: 18px; }
.fb-view[data-narrow] .fb-number { height: 36px; font-size: 16px; }
.fb-view[data-narrow] .fb-slider { min-height: 40px; grid-template-columns: minmax(0, 4fr) minmax(90px, 7fr) 82px 1.7em; }
.fb-view[data-narrow] .fb-slider.fb-long { grid-template-columns: minmax(0, 1fr) 82px 1.7em; }
.fb-view[data-narrow] .fb-search { font-size: 16px; }
.fb-view[data-narrow] .fb-range { height: 36px; }
.fb-view[data-narrow] .fb-range::-webkit-slider-thumb { width: 22px; height: 22px; margin-top: -9px; }
.fb-view[data-narrow] .fb-range::-moz-range-thumb { width: 18px; height: 18px; }
.fb-view[data-narrow] .fb-marks { inset: 4px 11px; }
.fb-view[data-narrow] .fb-icon { width: 40px; height: 40px; }
.fb-view[data-narrow] .fb-heading { top: 58px; max-width: calc(100% - 28px); }
.fb-view[data-narrow] .fb-info { left: 0; right: 0; bottom: 0; top: auto; width: auto; max-height: 62%; border-radius: 14px 14px 0 0; padding-bottom: 14px; }
.fb-view[data-narrow] .fb-menu { left: 0; right: 0; bottom: 0; top: auto; width: auto; max-height: 80%; border-radius: 14px 14px 0 0; }
.fb-view[data-narrow] .fb-checks { display: grid; grid-template-columns: 1fr 1fr; }
.fb-view[data-narrow] :is(.fb-check, .fb-help) kbd { display: none; }
.fb-view[data-narrow] .fb-help kbd { display: inline; }
.fb-view[data-narrow] .fb-dock { grid-area: 2 / 1; width: auto; height: var(--fb-dock-height, 18rem); border-left: 0; border-top: 1px solid var(--fb-line); border-radius: 14px 14px 0 0; }
.fb-view[data-narrow] .fb-grip { left: 0; right: 0; top: -6px; bottom: auto; width: auto; height: 20px; cursor: ns-resize; }
.fb-view[data-narrow] .fb-grip::after { content: ""; position: absolute; left: 50%; top: 11px; width: 36px; height: 4px; margin-left: -18px; border-radius: 2px; background: var(--fb-line); }
.fb-view[data-narrow] .fb-bar { grid-area: 3 / 1; flex-wrap: wrap; padding: 4px 10px calc(6px + env(safe-area-inset-bottom, 0px)); }
.fb-view[data-narrow] .fb-track { flex: 1 0 100%; order: -1; }
.fb-view[data-narrow] .fb-clock { flex: 1; text-align: center; min-width: 0; }
.fb-view[data-narrow] .fb-clips { flex: 1 0 100%; max-width: none; }
@media (pointer: coarse) {
  .fb-button, .fb-select, .fb-search { min-height: 36px; }
}
@media (prefers-reduced-motion: no-preference) {
  .fb-icon, .fb-button, .fb-check { transition: background-color 0.12s, color 0.12s; }
}
`;function Xd(){if(document.getElementById("fb-styles"))return;let n=document.createElement("style");n.id="fb-styles",n.textContent=Wd,document.head.append(n)}function Ua(n,e){let t=matchMedia("(prefers-color-scheme: dark)"),i=n.dataset.theme;i||t.addEventListener("change",()=>e(t.matches?"dark":"light")),e(i||(t.matches?"dark":"light"))}var T_=640,E_=900;function Yd(n,e){let{player:t}=e,i=()=>n.dataset.theme=t.options.theme;t.on("options",i),Ua(n,r=>t.setOption("theme",r)),i(),"bare"in n.dataset||new tc(n,e);let s=matchMedia("(prefers-reduced-motion: reduce)").matches||"bare"in n.dataset;t.current?.loop&&!s&&t.play()}var tc=class{constructor(e,t){Object.assign(this,{element:e,view:t});let{scene:i,player:s,stage:r,motion:o}=t,a=i.clips.some(c=>c.t.length>1);this.bar=new Cr(s),this.info=new Pr(t),this.menu=new Ir(t),this.legend=new La(t),this.panels={},this.dockBody=W("div",{class:"fb-dock-body"}),this.dockTitle=W("h2",{}),this.dockTools=W("div",{class:"fb-dock-tools"}),this.dock=W("aside",{class:"fb-dock",hidden:!0},W("div",{class:"fb-grip",title:"Drag to resize"}),W("header",{},this.dockTitle,this.dockTools,Nt("close","Close (Esc)",()=>this.openDock(null))),this.dockBody),this.makers={plots:i.series.length&&a?()=>new Da(t):null,sliders:o?.coordinates.some(ec)?()=>new Na(o,t,()=>r.setPoses(o.poses,o.series)):null};let h={plots:this.makers.plots&&(()=>this.toggleDock("plots")),sliders:this.makers.sliders&&(()=>this.toggleDock("sliders")),layers:()=>this.toggleMenu(),theme:()=>s.setOption("theme",s.options.theme==="dark"?"light":"dark"),help:()=>this.help.toggle(),escape:()=>this.escape()};this.keys=Fc({scene:i,player:s,stage:r,bar:this.bar,actions:h}),this.help=new Rr(this.keys,()=>this.help.toggle(!1)),this.buttons={fit:Nt("fit","Fit (F)",()=>r.fit(s.selected)),layers:Nt("layers","Layers (K)",h.layers),sliders:h.sliders&&Nt("sliders","Sliders (Q)",h.sliders),plots:h.plots&&Nt("plots","Plots (P)",h.plots),theme:Nt("theme","Dark or light (D)",h.theme),help:Nt("help","Help (?)",h.help)};let l=W("div",{class:"fb-tools fb-card",role:"toolbar","aria-label":"View"},...Object.values(this.buttons).filter(Boolean));this.message=W("div",{class:"fb-message",role:"status",hidden:!0}),this.over=W("div",{class:"fb-over"},C_(i),l,this.menu.element,this.info.element,this.legend.element,this.message),e.append(this.over,this.dock,...a?[this.bar.element]:[],this.help.element),this.listen(),this.fitWidth(),this.makers.sliders?this.openDock("sliders"):this.makers.plots&&e.clientWidth>=E_&&this.fillsWindow&&this.openDock("plots"),this.legend.element.open=!this.narrow&&this.legend.isShort,this.showPressed()}listen(){let{element:e,view:{player:t}}=this;new ResizeObserver(()=>this.fitWidth()).observe(e),t.on("graphics",i=>this.showGraphics(i)),e.tabIndex=-1,document.addEventListener("keydown",i=>{let s=e.contains(document.activeElement)||e.matches(":hover")||this.fillsWindow,r=!e.contains(i.target)&&i.target!==document.body;s&&!r&&Bc(this.keys,i)}),e.addEventListener("click",i=>{i.detail>0&&i.target.closest?.("button, summary")?.blur()}),e.addEventListener("change",i=>i.target.tagName==="SELECT"&&i.target.blur()),this.over.addEventListener("pointerdown",i=>{i.target===this.over&&this.toggleMenu(!1)}),e.querySelector(".fb-stage").addEventListener("pointerdown",()=>this.toggleMenu(!1)),this.resizeDock()}get fillsWindow(){return this.element.clientHeight>=.9*window.innerHeight&&this.element.clientWidth>=.9*window.innerWidth}fitWidth(){this.narrow=this.element.clientWidth<T_,this.element.toggleAttribute("data-narrow",this.narrow),this.resized||this.element.style.setProperty("--fb-dock-height",`${Math.round(.42*this.element.clientHeight)}px`)}toggleMenu(e=this.menu.element.hidden){this.menu.element.hidden=!e,this.showPressed()}toggleDock(e){this.openDock(this.docked===e?null:e)}openDock(e){var t;this.docked=e,this.dock.hidden=!e,e&&((t=this.panels)[e]??(t[e]=this.makers[e]()),this.dockBody.replaceChildren(this.panels[e].element),this.dockTools.replaceChildren(...this.panels[e].tools),this.dockTitle.textContent=e==="plots"?"Plots":"Coordinates"),this.showPressed()}escape(){let{player:e}=this.view;this.help.element.hidden?this.menu.element.hidden?e.selected>=0?e.select(-1):e.follow>=0?e.setFollow(-1):this.openDock(null):this.toggleMenu(!1):this.help.toggle(!1)}showPressed(){let e={layers:!this.menu.element.hidden,plots:this.docked==="plots",sliders:this.docked==="sliders"};for(let[t,i]of Object.entries(e))this.buttons[t]?.setAttribute("aria-pressed",String(i))}showGraphics({state:e,message:t}){let i=e==="restored";this.message.hidden=i,this.message.textContent=i?"":Le(t,400),!i&&this.makers.plots&&this.openDock("plots")}resizeDock(){let e=this.dock.querySelector(".fb-grip");e.addEventListener("pointerdown",t=>{e.setPointerCapture(t.pointerId),t.preventDefault()}),e.addEventListener("pointermove",t=>{if(!e.hasPointerCapture(t.pointerId))return;this.resized=!0;let i=this.element.getBoundingClientRect(),s=this.dock.getBoundingClientRect().bottom;this.narrow?this.element.style.setProperty("--fb-dock-height",`${qd(s-t.clientY,120,i.height*.75)}px`):this.element.style.setProperty("--fb-dock-width",`${qd(i.right-t.clientX,240,i.width*.7)}px`)})}};function C_(n){let e=W("h1",{title:Le(n.title,400)},W("bdi",{class:"fb-ellipsis"},Le(n.title))),t=n.subtitle?W("p",{title:Le(n.subtitle,400)},W("bdi",{class:"fb-ellipsis"},Le(n.subtitle))):null;return W("div",{class:"fb-heading"},e,t)}function qd(n,e,t){return Math.max(e,Math.min(t,n))}var ic=[["number",null],["input",null],["add",(n,e)=>n+e],["sub",(n,e)=>n-e],["mul",(n,e)=>n*e],["div",(n,e)=>n/e],["neg",n=>-n],["pow",(n,e)=>n**e],["sqrt",Math.sqrt],["sin",Math.sin],["cos",Math.cos],["tan",Math.tan],["asin",Math.asin],["acos",Math.acos],["atan",Math.atan],["atan2",Math.atan2],["sinh",Math.sinh],["cosh",Math.cosh],["tanh",Math.tanh],["exp",Math.exp],["log",Math.log],["abs",Math.abs],["sign",Math.sign],["min",Math.min],["max",Math.max],["floor",Math.floor],["lt",(n,e)=>+(n<e)],["le",(n,e)=>+(n<=e)],["eq",(n,e)=>+(n===e)],["ne",(n,e)=>+(n!==e)],["where",(n,e,t)=>n!==0?e:t]],b1=ic.map(([n])=>n),Zd=ic.map(([,n])=>n),Jd=0,Kd=1,jd=Zd.map(n=>n===null?0:n===Math.min||n===Math.max?2:n.length),Oa=1e-9,R_=40,P_=1e-4,I_=.02,L_=1e-4,Fa=class{constructor(e){this.table=e,this.coordinates=e.coordinates,this.rows=e.op.length,this.values=new Float64Array(this.rows),this.bodies=Math.floor(e.poses.length/12),this.q=Float64Array.from(e.coordinates,t=>t.initial),this.quaternions=e.coordinates.flatMap((t,i)=>t.quaternion?[i]:[]),this.poses=new Float64Array(12*this.bodies),this.loops=N_(e,this.quaternions),D_(e),this.evaluate(),this.loops.every(t=>this.residuals(t,this.values).size<P_)&&this.close(this.loops,new Set),this.initial=this.q.slice(),this.updatePoses()}evaluate(e=this.q){let{op:t,a:i,b:s,c:r,numbers:o}=this.table,a=this.values;for(let h=0;h<this.rows;h++){let l=t[h];if(l===Jd)a[h]=o[i[h]];else if(l===Kd)a[h]=e[i[h]];else switch(l){case 2:a[h]=a[i[h]]+a[s[h]];break;case 3:a[h]=a[i[h]]-a[s[h]];break;case 4:a[h]=a[i[h]]*a[s[h]];break;case 6:a[h]=-a[i[h]];break;default:{let c=jd[l],u=Zd[l];a[h]=c===1?u(a[i[h]]):c===2?u(a[i[h]],a[s[h]]):u(a[i[h]],a[s[h]],a[r[h]])}}}return a}updatePoses(){let e=this.evaluate(),{poses:t}=this.table;for(let i=0;i<this.poses.length;i++)this.poses[i]=e[t[i]]}get series(){return Object.fromEntries(this.coordinates.map(({name:e},t)=>[`q.${e}`,this.q[t]]))}set(e,t){return this.setSeveral([e],[t])}setRotation(e,t){let i=[0,1,2,3].map(o=>e+o),s=$d(t),r=i.reduce((o,a,h)=>o+this.q[a]*s[h],0)<0?-1:1;return this.setSeveral(i,s.map(o=>r*o))}differs(e,t){let i=$d(t);return 1-Math.abs(i.reduce((s,r,o)=>s+r*this.q[e+o],0))>1e-9}rotation(e){return O_(this.q.slice(e,e+4))}setSeveral(e,t){let i=new Set(e),s=e.map(u=>this.q[u]),r=this.loops.filter(u=>e.some(d=>u.coordinates.has(d))),o=u=>Math.min(Math.max(this.coordinates[u].high-this.coordinates[u].low,1e-9),2*Math.PI),a=Math.max(...e.map((u,d)=>Math.abs(t[d]-s[d])/o(u))),h=r.length?Math.min(1,I_/Math.max(a,1e-12)):1,l=0,c="";for(;l<1;){let u=this.q.slice(),d=Math.min(1,l+h);if(e.forEach((f,p)=>this.q[f]=d===1?t[p]:s[p]+d*(t[p]-s[p])),this.normaliseQuaternions(e),!r.length||this.close(r,i)){l=d;continue}if(this.q.set(u),h/=2,h<L_){c=this.blocked?`stopped: ${this.blocked} is at its limit`:"stopped: the loop cannot close further";break}}return this.updatePoses(),c}normaliseQuaternions(e){for(let t of this.quaternions){if(!e.includes(t))continue;let i=Math.hypot(...this.q.slice(t,t+4))||1;for(let s=0;s<4;s++)this.q[t+s]/=i}}close(e,t){return this.blocked="",e.every(i=>this.closeLoop(i,new Set(t)))}closeLoop(e,t){let i=1e-12,s=this.residuals(e,this.evaluate()).size,r=!1;for(let o=0;o<R_;o++){if(s<=Oa&&r)return!0;r=s<=Oa;let a=[...e.coordinates].filter(p=>!t.has(p)),{r:h,slopes:l}=this.residuals(e,this.values,a),c=U_(h,l,a.length,i);if(!c)return s<=Oa;let u=this.q.slice(),d=[];a.forEach((p,_)=>{this.q[p]+=Math.max(-.5,Math.min(.5,c[_]))*this.scale(p);let{low:m,high:g,name:M,limited:T}=this.coordinates[p];T&&(this.q[p]<m||this.q[p]>g)&&(this.q[p]=Math.max(m,Math.min(g,this.q[p])),d.push(p),this.blocked||(this.blocked=M))});let f=this.residuals(e,this.evaluate()).size;if(f<s||d.length)s=f,i=Math.max(1e-12,i/10),d.forEach(p=>t.add(p));else{if(this.q.set(u),this.evaluate(),i*=100,r)return!0;if(!(i<1e4))return!1}}return s<=Oa}scale(e){return this.coordinates[e].scale??1}residuals(e,t,i=null){let s=Float64Array.from(e.residuals,l=>t[this.table.residuals[l]]),r=0;for(let l of s)r=l===l?Math.max(r,Math.abs(l)):1/0;if(!i)return{r:s,size:r};let o=new Map(i.map((l,c)=>[l,c])),a=i.length,h=new Float64Array(s.length*a);for(let[l,c,u]of e.slopes)o.has(c)&&(h[l*a+o.get(c)]+=t[u]*this.scale(c));return{r:s,slopes:h,size:r}}reset(){this.q.set(this.initial),this.updatePoses()}};function D_(n){let{op:e,a:t,b:i,c:s,numbers:r,coordinates:o}=n,a=e.length,h=l=>{throw new Error(`the motion table is damaged: ${l}`)};for(let l=0;l<a;l++){e[l]>=ic.length&&h(`row ${l} has the unknown operation ${e[l]}`);let c=jd[e[l]];e[l]===Jd&&t[l]>=r.length&&h(`row ${l} uses number ${t[l]}`),e[l]===Kd&&t[l]>=o.length&&h(`row ${l} uses coordinate ${t[l]}`),(c>0&&t[l]>=l||c>1&&i[l]>=l||c>2&&s[l]>=l)&&h(`row ${l} uses a later row`)}for(let l of[n.poses,n.residuals])l.some(c=>c>=a)&&h("an output is not in the table")}function N_(n,e){let t=n.residuals.length,i=Array.from({length:t},(l,c)=>c),s=l=>{for(;i[l]!==l;)l=i[l]=i[i[l]];return l},r=new Map,o=l=>e.find(c=>l>=c&&l<c+4)??l,a=[];for(let l=0;l<n.slopes.length;l+=3){let[c,u,d]=n.slopes.slice(l,l+3);if(c>=t||u>=n.coordinates.length||d>=n.op.length)continue;a.push([c,u,d]);let f=o(u);r.has(f)?i[s(c)]=s(r.get(f)):r.set(f,c)}let h=new Map;for(let l=0;l<t;l++)h.has(s(l))||h.set(s(l),{residuals:[],coordinates:new Set,slopes:[]}),h.get(s(l)).residuals.push(l);for(let[l,c,u]of a){let d=h.get(s(l));d.slopes.push([d.residuals.indexOf(l),c,u]),d.coordinates.add(c)}return[...h.values()]}function U_(n,e,t,i){let s=n.length;if(!t)return null;let r=new Float64Array(s*s),o=Float64Array.from(n,l=>-l),a=0;for(let l=0;l<s;l++)for(let c=0;c<=l;c++){let u=0;for(let d=0;d<t;d++)u+=e[l*t+d]*e[c*t+d];r[l*s+c]=r[c*s+l]=u,l===c&&(a=Math.max(a,u))}if(!(a>0)||!Number.isFinite(a))return null;for(let l=0;l<s;l++)r[l*s+l]+=i*a;for(let l=0;l<s;l++){for(let d=0;d<l;d++){let f=r[l*s+d];for(let p=0;p<d;p++)f-=r[l*s+p]*r[d*s+p];r[l*s+d]=f/r[d*s+d]}let c=r[l*s+l],u=o[l];for(let d=0;d<l;d++)c-=r[l*s+d]**2,u-=r[l*s+d]*o[d];r[l*s+l]=Math.sqrt(Math.max(c,i*a*.001)),o[l]=u/r[l*s+l]}for(let l=s-1;l>=0;l--){for(let c=l+1;c<s;c++)o[l]-=r[c*s+l]*o[c];o[l]/=r[l*s+l]}let h=new Float64Array(t);for(let l=0;l<s;l++)for(let c=0;c<t;c++)h[c]+=e[l*t+c]*o[l];return h.every(Number.isFinite)?h:null}function $d(n){let e=Math.hypot(...n),t=e>1e-8?Math.sin(e/2)/e:.5;return[Math.cos(e/2),t*n[0],t*n[1],t*n[2]]}function O_(n){let e=n[0]<0?-1:1,t=Math.hypot(n[1],n[2],n[3]),i=t>1e-8?2*Math.atan2(t,e*n[0])/t:2;return[1,2,3].map(s=>e*i*n[s])}var Mr=class{constructor(e){this.scene=e,this.listeners=new Map,this.clip=0,this.selected=-1,this.hovered=-1,this.follow=e.bodies[e.follow]?e.follow:-1,this.layers=new Set([...e.shown,"grid"]),this.playing=!1,this.t=this.start,this.speed=F_(this.end-this.start),this.loop=e.clips.length>0,this.options={theme:"light",trails:"tips",colouring:"plain",magnify:Math.max(1,...e.flexible.map(({magnify:t})=>t||1)),arrowScale:1}}on(e,t){for(let i of e.split(" "))this.listeners.has(i)||this.listeners.set(i,new Set),this.listeners.get(i).add(t)}emit(e,t){for(let i of this.listeners.get(e)??[])i(t)}get current(){return this.scene.clips[this.clip]}get start(){let{clips:e,together:t}=this.scene;return t?Math.min(...e.map(i=>i.t[0])):this.current?this.current.t[0]:0}get end(){let{clips:e,together:t}=this.scene;return t?Math.max(...e.map(i=>i.t[i.t.length-1])):this.current?this.current.t[this.current.t.length-1]:0}seek(e){let t=Math.min(this.end,Math.max(this.start,e));t!==this.t&&(this.t=t,this.emit("time"))}play(){if(this.playing||this.end<=this.start)return;this.t>=this.end&&this.seek(this.start),this.playing=!0,this.emit("state");let e=performance.now(),t=i=>{this.playing&&(this.advance(Math.min(250,Math.max(0,i-e))/1e3*this.speed),e=i,this.playing&&requestAnimationFrame(t))};requestAnimationFrame(t)}pause(){this.playing&&(this.playing=!1,this.emit("state"))}toggle(){this.playing?this.pause():this.play()}advance(e){let{start:t,end:i}=this,s=this.t+e;s<i?this.seek(s):this.loop?this.seek(t+(s-t)%(i-t)):(this.seek(i),this.pause())}setSpeed(e){this.speed=e,this.emit("state")}setLoop(e){this.loop=e,this.emit("state")}setClip(e){e===this.clip||!this.scene.clips[e]||(this.clip=e,this.t=Math.min(this.end,Math.max(this.start,this.t)),this.emit("clip"),this.emit("time"))}select(e){this.setBody("selected",e)}hover(e){this.setBody("hovered",e)}setFollow(e){this.setBody("follow",e)}setBody(e,t){let i=this.scene.bodies[t]?t:-1;i!==this[e]&&(this[e]=i,this.emit("selection"))}setLayer(e,t){this.layers.has(e)!==t&&(t?this.layers.add(e):this.layers.delete(e),this.emit("layers"))}toggleLayer(e){this.setLayer(e,!this.layers.has(e))}setOption(e,t){if(!(e in this.options))throw new Error(`The player has no option "${e}".`);this.options[e]!==t&&(this.options[e]=t,this.emit("options"))}};function F_(n){if(!(n>0)||n>=1&&n<=60)return 1;let e=n/10,t=10**Math.floor(Math.log10(e)),i=e/t;return(i<1.5?1:i<3.5?2:i<7.5?5:10)*t}function Qd(n,e){Ua(n,s=>n.dataset.theme=s);let t=W("div",{class:"fb-plots"});n.prepend(t),n.dataset.live="";let i=new Ms(t,e);return i.show(JSON.parse(n.dataset.keys||"[]")),i}var B_=`
  varying vec3 shownColour, worldNormal, fromCamera;
  void main() {
    vec4 place = vec4(position, 1.0);
    shownColour = vec3(1.0);
    #ifdef USE_INSTANCING
      place = instanceMatrix * place;
    #endif
    #ifdef USE_INSTANCING_COLOR
      shownColour *= instanceColor.rgb;
    #endif
    #ifdef USE_COLOR
      shownColour *= color;
    #endif
    #ifdef SMOOTH
      worldNormal = normal;
      #ifdef USE_INSTANCING
        mat3 turn = mat3(instanceMatrix);
        worldNormal = turn * (normal / vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2])));
      #endif
      worldNormal = mat3(modelMatrix) * worldNormal;
    #endif
    place = modelMatrix * place;
    fromCamera = place.xyz - cameraPosition;
    gl_Position = projectionMatrix * viewMatrix * place;
  }`,z_=`
  varying vec3 shownColour, worldNormal, fromCamera;
  uniform float opacity;
  void main() {
    #ifdef SMOOTH
      vec3 n = normalize(worldNormal);
    #else
      vec3 n = normalize(cross(dFdx(fromCamera), dFdy(fromCamera)));
    #endif
    if (dot(n, fromCamera) > 0.0) n = -n;
    float light = 0.46 + 0.09 * n.z + 0.36 * max(0.0, dot(n, vec3(-0.267, -0.535, 0.802))) - 0.17 * dot(n, normalize(fromCamera));
    gl_FragColor = vec4(shownColour * light, opacity);
    #include <colorspace_fragment>
  }`;function Ss(n,{opacity:e=1,...t}={}){return new Bt({vertexShader:B_,fragmentShader:z_,uniforms:{opacity:{value:e}},defines:n.hasAttribute("normal")?{SMOOTH:""}:{},vertexColors:n.hasAttribute("color"),side:Kt,transparent:e<1,depthWrite:e===1,...t})}var k_=.22,$i=class{constructor(e,t,{layer:i,opacity:s=1,depthFirst:r=!1,seeThrough:o=!1}){this.layer=i;let a=s<1;this.mesh=new ls(e,Ss(e,{opacity:s,depthWrite:!a||r}),t),this.mesh.renderOrder=a?2:0,this.meshes=[this.mesh],a&&r&&this.addTwin(Ss(e,{colorWrite:!1}),1),o&&this.addTwin(Ss(e,{opacity:k_,depthFunc:is}),3);for(let h of this.meshes)h.frustumCulled=!1;this.matrices=this.mesh.instanceMatrix.array}addTwin(e,t){let i=new ls(this.mesh.geometry,e,this.mesh.count);i.instanceMatrix=this.mesh.instanceMatrix,i.renderOrder=t,this.meshes.push(i)}get visible(){return this.mesh.visible}set visible(e){for(let t of this.meshes)t.visible=e}setColour(e,t){this.mesh.setColorAt(e,t);for(let i of this.meshes)i.instanceColor=this.mesh.instanceColor;this.mesh.instanceColor.needsUpdate=!0}matricesChanged(){this.mesh.instanceMatrix.needsUpdate=!0,this.mesh.boundingSphere=null}};function ef(n,e,t,i,s,r){for(let o=0;o<3;o++,e+=4){let a=n[e],h=n[e+1],l=n[e+2];for(let c=0;c<3;c++)s[r+4*c+o]=a*t[c]+h*t[4+c]+l*t[8+c];s[r+12+o]=a*t[3]+h*t[7]+l*t[11]+n[e+3]-i[o]}s[r+3]=s[r+7]=s[r+11]=0,s[r+15]=1}function Zi(n,e){n.fill(0,e,e+16),n[e+15]=1}function gn(n=12){return new cs(1,1,1,n).rotateX(Math.PI/2).translate(0,0,.5)}function Ba(n=16){return new Ks(1,1,n).rotateX(Math.PI/2).translate(0,0,.5)}function nc(n=20){return new Qs(1,n,n/2).rotateX(Math.PI/2)}function tf(){let n=nc(24).toNonIndexed(),{array:e,count:t}=n.getAttribute("position"),i=new Float32Array(3*t);for(let s=0;s<t;s+=3){let r=[0,1,2].reduce((o,a)=>o*Math.sign(e[3*s+a]+e[3*s+3+a]+e[3*s+6+a]),1);i.fill(r>0?.01:.95,3*s,3*s+9)}return n.setAttribute("color",new ot(i,3))}function nf(n,e,t=.16){let i=[new R(0,0,0),new R(0,0,.06*e)],s=14*n;for(let r=0;r<=s;r++){let o=2*Math.PI*n*r/s;i.push(new R(Math.cos(o),Math.sin(o),(.1+.8*r/s)*e))}return i.push(new R(0,0,.94*e),new R(0,0,e)),G_(i,t,6).scale(1,1,1/e)}function G_(n,e,t){let i=[],s=[],r=[],o=new R,a=new R(1,.3,0),h=new R,l=new R;n.forEach((u,d)=>{o.subVectors(n[Math.min(d+1,n.length-1)],n[Math.max(d-1,0)]).normalize(),a.addScaledVector(o,-a.dot(o)).normalize(),h.crossVectors(o,a);for(let f=0;f<t;f++){let p=2*Math.PI*f/t;if(l.copy(a).multiplyScalar(Math.cos(p)).addScaledVector(h,Math.sin(p)),s.push(l.x,l.y,l.z),i.push(u.x+e*l.x,u.y+e*l.y,u.z+e*l.z),d===0)continue;let _=d*t+f,m=d*t+(f+1)%t;r.push(_-t,m-t,_,_,m-t,m)}});let c=new mt;return c.setAttribute("position",new ot(new Float32Array(i),3)),c.setAttribute("normal",new ot(new Float32Array(s),3)),c.setIndex(r)}function H_(n,e){let t=0,i=n.length-1;for(;i-t>1;){let s=t+i>>1;n[s]<=e?t=s:i=s}return t}function of(n,e,t){let i=H_(n,e),s=n.length>1?n[i+1]-n[i]:0;return t.row=i,t.length=s,t.fraction=s>0?Math.min(1,Math.max(0,(e-n[i])/s)):n.length>1?1:0,t}function sf(n,e,t,i,s,r){let o=s*t+i,a=s>0?n[s]-n[s-1]:0,h=s<n.length-1?n[s+1]-n[s]:0,l=a>0?(e[o]-e[o-t])/a:NaN,c=h>0?(e[o+t]-e[o])/h:NaN;return l===l&&c===c?(l*h+c*a)/(a+h):r<0?l:c}function za(n,e,t,i,{row:s,fraction:r,length:o}){let a=s*t+i,h=e[a];if(r===0||n.length<2)return h;let l=e[a+t];if(r===1)return l;let c=sf(n,e,t,i,s,1)*o,u=sf(n,e,t,i,s+1,-1)*o,d=1-r;return d*d*((1+2*r)*h+r*c)+r*r*((1+2*d)*l-d*u)}function ka(n,e,t,{row:i,fraction:s}){let r=i*e+t;return s===0?n[r]:s===1?n[r+e]:n[r]*(1-s)+n[r+e]*s}function vs(n,e,t,{row:i,fraction:s},r){let o=i*e+t;if(s===0)return rf(n,o,r);let a=o+e;if(s===1)return rf(n,a,r);let h=n[o]*n[a]+n[o+1]*n[a+1]+n[o+2]*n[a+2]+n[o+3]*n[a+3],l=1-s,c=s;if(h<.9995){let u=Math.acos(Math.max(-1,h)),d=Math.sin(u);d>1e-9&&(l=Math.sin((1-s)*u)/d,c=Math.sin(s*u)/d)}for(let u=0;u<4;u++)r[u]=l*n[o+u]+c*n[a+u];return r}function rf(n,e,t){for(let i=0;i<4;i++)t[i]=n[e+i];return t}function Sr(n,e,t,i,s,r,o){let a=e[0],h=e[1],l=e[2],c=s[0],u=s[1],d=s[2],f=c*a+u*h+d*l;f*f>.98*(c*c+u*u+d*d)&&(u=0,c=Math.abs(l)<.7?0:1,d=1-c,f=c*a+u*h+d*l),c-=f*a,u-=f*h,d-=f*l;let p=i/Math.hypot(c,u,d);c*=p,u*=p,d*=p,r[o]=c,r[o+1]=u,r[o+2]=d,r[o+4]=h*d-l*u,r[o+5]=l*c-a*d,r[o+6]=a*u-h*c,r[o+8]=a*t,r[o+9]=h*t,r[o+10]=l*t,r[o+12]=n[0],r[o+13]=n[1],r[o+14]=n[2],r[o+3]=r[o+7]=r[o+11]=0,r[o+15]=1}var V_=.6,W_=.012,X_=4,q_=.011,af=.03,lf=.09,hf=[.36,.48,.8],Ga=class{constructor(e,t){Object.assign(this,{scene:e,poses:t}),this.references=new Map,this.start=new Float64Array(3),this.along=new Float64Array(3),this.headStart=new Float64Array(3);let i=[...new Set(e.arrows.map(({layer:s})=>s))];this.groups=i.map(s=>this.makeGroup(s))}makeGroup(e){let t=this.scene.arrows.flatMap((o,a)=>o.layer===e?[a]:[]),i=t.length*this.poses.copies,s={layer:e,seeThrough:!0},r={indices:t,shafts:new $i(gn(10),i,s),heads:new $i(Ba(14),2*i,s)};for(let o=0;o<i;o++){let{kind:a}=this.scene.arrows[t[o%t.length]],h=jt((_s[e]??_s.loads)[a]??_s.loads.force);r.shafts.setColour(o,h),r.heads.setColour(2*o,h),r.heads.setColour(2*o+1,h)}return r}get batches(){return this.groups.flatMap(({shafts:e,heads:t})=>[e,t])}reference(e,t){let{clips:i,together:s,arrows:r}=this.scene,o=`${s||i.indexOf(e)} ${t}`;if(!this.references.has(o)){let a=[];for(let{vectors:h}of s?i:[e])r.forEach((l,c)=>{if(l.kind===t)for(let u=0;u<h.rows;u++){let d=u*h.columns+3*c,f=Math.hypot(h.values[d],h.values[d+1],h.values[d+2]);f>0&&a.push(f)}});a.sort((h,l)=>h-l),this.references.set(o,a.length?a[Math.floor(.98*(a.length-1))]:0)}return this.references.get(o)}update(e,t){for(let{indices:i,shafts:s,heads:r}of this.groups)if(s.visible){for(let o=0,a=0;o<this.poses.copies;o++)for(let h of i)this.place(h,o,e,t,s.matrices,r.matrices,a++);s.matricesChanged(),r.matricesChanged()}}place(e,t,i,s,r,o,a){let{start:h,along:l,poses:c,scene:u}=this,{kind:d,body:f,at:p}=u.arrows[e],{size:_}=u,m=this.vector(e,t)*_*V_*s;if(!(m>W_*_)||!c.isFinite(c.index(f,t))){Zi(r,16*a),Zi(o,32*a),Zi(o,32*a+16);return}let g=Math.min(m,X_*_*Math.max(1,s)),M=Math.min(lf*_,.4*g),T=M/lf;c.point(c.index(f,t),p,h);for(let v=0;v<3;v++)h[v]-=i[v];Sr(h,l,g-.9*M,q_*T,hf,r,16*a),this.writeHead(g-M,M,af*T,o,32*a),d==="torque"?this.writeHead(g-1.7*M,M,af*T,o,32*a+16):Zi(o,32*a+16)}writeHead(e,t,i,s,r){for(let o=0;o<3;o++)this.headStart[o]=this.start[o]+e*this.along[o];Sr(this.headStart,this.along,t,i,hf,s,r)}vector(e,t){let i=this.size(e,t);if(!(i>0))return 0;for(let s=0;s<3;s++)this.along[s]/=i;return i/this.reference(this.poses.clips[t],this.scene.arrows[e].kind)}size(e,t=0){let i=this.poses.clips[t];if(!i||this.poses.outside||!i.vectors.rows)return 0;let{values:s,columns:r}=i.vectors;for(let o=0;o<3;o++)this.along[o]=ka(s,r,3*e+o,this.poses.places[t]);return Math.hypot(this.along[0],this.along[1],this.along[2])}};var cf={type:"change"},rc={type:"start"},df={type:"end"},Ha=new Tn,uf=new ni,Y_=Math.cos(70*mr.DEG2RAD),bt=new R,Qt=2*Math.PI,Ze={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},sc=1e-6,Va=class extends or{constructor(e,t=null){super(e,t),this.state=Ze.NONE,this.target=new R,this.cursor=new R,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:"ArrowLeft",UP:"ArrowUp",RIGHT:"ArrowRight",BOTTOM:"ArrowDown"},this.mouseButtons={LEFT:cn.ROTATE,MIDDLE:cn.DOLLY,RIGHT:cn.PAN},this.touches={ONE:un.ROTATE,TWO:un.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._cursorStyle="auto",this._domElementKeyEvents=null,this._lastPosition=new R,this._lastQuaternion=new Ft,this._lastTargetPosition=new R,this._quat=new Ft().setFromUnitVectors(e.up,new R(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new ds,this._sphericalDelta=new ds,this._scale=1,this._panOffset=new R,this._rotateStart=new Te,this._rotateEnd=new Te,this._rotateDelta=new Te,this._panStart=new Te,this._panEnd=new Te,this._panDelta=new Te,this._dollyStart=new Te,this._dollyEnd=new Te,this._dollyDelta=new Te,this._dollyDirection=new R,this._mouse=new Te,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=Z_.bind(this),this._onPointerDown=$_.bind(this),this._onPointerUp=J_.bind(this),this._onContextMenu=nb.bind(this),this._onMouseWheel=Q_.bind(this),this._onKeyDown=eb.bind(this),this._onTouchStart=tb.bind(this),this._onTouchMove=ib.bind(this),this._onMouseDown=K_.bind(this),this._onMouseMove=j_.bind(this),this._interceptControlDown=sb.bind(this),this._interceptControlUp=rb.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}set cursorStyle(e){this._cursorStyle=e,e==="grab"?this.domElement.style.cursor="grab":this.domElement.style.cursor="auto"}get cursorStyle(){return this._cursorStyle}connect(e){super.connect(e),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointercancel",this._onPointerUp),this.domElement.addEventListener("contextmenu",this._onContextMenu),this.domElement.addEventListener("wheel",this._onMouseWheel,{passive:!1}),this.domElement.ownerDocument.addEventListener("keydown",this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction="none"}disconnect(){this.state=Ze.NONE,this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.domElement.removeEventListener("pointercancel",this._onPointerUp),this.domElement.removeEventListener("wheel",this._onMouseWheel),this.domElement.removeEventListener("contextmenu",this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.ownerDocument.removeEventListener("keydown",this._interceptControlDown,{capture:!0}),this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{capture:!0}),this._controlActive=!1,this._pointers.length=0,this._pointerPositions={},this.domElement.style.touchAction="",this.domElement.style.cursor="auto"}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(e){e.addEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=e}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(cf),this.update(),this.state=Ze.NONE}pan(e,t){this._pan(e,t),this.update()}dollyIn(e){this._dollyIn(e),this.update()}dollyOut(e){this._dollyOut(e),this.update()}rotateLeft(e){this._rotateLeft(e),this.update()}rotateUp(e){this._rotateUp(e),this.update()}update(e=null){let t=this.object.position;bt.copy(t).sub(this.target),bt.applyQuaternion(this._quat),this._spherical.setFromVector3(bt),this.autoRotate&&this.state===Ze.NONE&&this._rotateLeft(this._getAutoRotationAngle(e)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let i=this.minAzimuthAngle,s=this.maxAzimuthAngle;isFinite(i)&&isFinite(s)&&(i<-Math.PI?i+=Qt:i>Math.PI&&(i-=Qt),s<-Math.PI?s+=Qt:s>Math.PI&&(s-=Qt),i<=s?this._spherical.theta=Math.max(i,Math.min(s,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(i+s)/2?Math.max(i,this._spherical.theta):Math.min(s,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let r=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let o=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),r=o!=this._spherical.radius}if(bt.setFromSpherical(this._spherical),bt.applyQuaternion(this._quatInverse),t.copy(this.target).add(bt),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let o=null;if(this.object.isPerspectiveCamera){let a=bt.length();o=this._clampDistance(a*this._scale);let h=a-o;this.object.position.addScaledVector(this._dollyDirection,h),this.object.updateMatrixWorld(),r=!!h}else if(this.object.isOrthographicCamera){let a=new R(this._mouse.x,this._mouse.y,0);a.unproject(this.object);let h=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),r=h!==this.object.zoom;let l=new R(this._mouse.x,this._mouse.y,0);l.unproject(this.object),this.object.position.sub(l).add(a),this.object.updateMatrixWorld(),o=bt.length()}else console.warn("WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled."),this.zoomToCursor=!1;o!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(o).add(this.object.position):(Ha.origin.copy(this.object.position),Ha.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(Ha.direction))<Y_?this.object.lookAt(this.target):(uf.setFromNormalAndCoplanarPoint(this.object.up,this.target),Ha.intersectPlane(uf,this.target))))}else if(this.object.isOrthographicCamera){let o=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),o!==this.object.zoom&&(this.object.updateProjectionMatrix(),r=!0)}return this._scale=1,this._performCursorZoom=!1,r||this._lastPosition.distanceToSquared(this.object.position)>sc||8*(1-this._lastQuaternion.dot(this.object.quaternion))>sc||this._lastTargetPosition.distanceToSquared(this.target)>sc?(this.dispatchEvent(cf),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(e){return e!==null?Qt/60*this.autoRotateSpeed*e:Qt/60/60*this.autoRotateSpeed}_getZoomScale(e){let t=Math.abs(e*.01);return Math.pow(.95,this.zoomSpeed*t)}_rotateLeft(e){this._sphericalDelta.theta-=e}_rotateUp(e){this._sphericalDelta.phi-=e}_panLeft(e,t){bt.setFromMatrixColumn(t,0),bt.multiplyScalar(-e),this._panOffset.add(bt)}_panUp(e,t){this.screenSpacePanning===!0?bt.setFromMatrixColumn(t,1):(bt.setFromMatrixColumn(t,0),bt.crossVectors(this.object.up,bt)),bt.multiplyScalar(e),this._panOffset.add(bt)}_pan(e,t){let i=this.domElement;if(this.object.isPerspectiveCamera){let s=this.object.position;bt.copy(s).sub(this.target);let r=bt.length();r*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*e*r/i.clientHeight,this.object.matrix),this._panUp(2*t*r/i.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(e*(this.object.right-this.object.left)/this.object.zoom/i.clientWidth,this.object.matrix),this._panUp(t*(this.object.top-this.object.bottom)/this.object.zoom/i.clientHeight,this.object.matrix)):(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - pan disabled."),this.enablePan=!1)}_dollyOut(e){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=e:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_dollyIn(e){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=e:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_updateZoomParameters(e,t){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let i=this.domElement.getBoundingClientRect(),s=e-i.left,r=t-i.top,o=i.width,a=i.height;this._mouse.x=s/o*2-1,this._mouse.y=-(r/a)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(e){return Math.max(this.minDistance,Math.min(this.maxDistance,e))}_handleMouseDownRotate(e){this._rotateStart.set(e.clientX,e.clientY)}_handleMouseDownDolly(e){this._updateZoomParameters(e.clientX,e.clientY),this._dollyStart.set(e.clientX,e.clientY)}_handleMouseDownPan(e){this._panStart.set(e.clientX,e.clientY)}_handleMouseMoveRotate(e){this._rotateEnd.set(e.clientX,e.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let t=this.domElement;this._rotateLeft(Qt*this._rotateDelta.x/t.clientHeight),this._rotateUp(Qt*this._rotateDelta.y/t.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(e){this._dollyEnd.set(e.clientX,e.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.zoomToCursor&&(this._performCursorZoom=!0,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()),this.update()}_handleMouseMovePan(e){this._panEnd.set(e.clientX,e.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(e){this._updateZoomParameters(e.clientX,e.clientY),e.deltaY<0?this._dollyIn(this._getZoomScale(e.deltaY)):e.deltaY>0&&this._dollyOut(this._getZoomScale(e.deltaY)),this.update()}_handleKeyDown(e){let t=!1;switch(e.code){case this.keys.UP:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateUp(Qt*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),t=!0;break;case this.keys.BOTTOM:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateUp(-Qt*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),t=!0;break;case this.keys.LEFT:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateLeft(Qt*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),t=!0;break;case this.keys.RIGHT:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateLeft(-Qt*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),t=!0;break}t&&(e.preventDefault(),this.update())}_handleTouchStartRotate(e){if(this._pointers.length===1)this._rotateStart.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),i=.5*(e.pageX+t.x),s=.5*(e.pageY+t.y);this._rotateStart.set(i,s)}}_handleTouchStartPan(e){if(this._pointers.length===1)this._panStart.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),i=.5*(e.pageX+t.x),s=.5*(e.pageY+t.y);this._panStart.set(i,s)}}_handleTouchStartDolly(e){let t=this._getSecondPointerPosition(e),i=e.pageX-t.x,s=e.pageY-t.y,r=Math.sqrt(i*i+s*s);this._dollyStart.set(0,r)}_handleTouchStartDollyPan(e){this.enableZoom&&this._handleTouchStartDolly(e),this.enablePan&&this._handleTouchStartPan(e)}_handleTouchStartDollyRotate(e){this.enableZoom&&this._handleTouchStartDolly(e),this.enableRotate&&this._handleTouchStartRotate(e)}_handleTouchMoveRotate(e){if(this._pointers.length==1)this._rotateEnd.set(e.pageX,e.pageY);else{let i=this._getSecondPointerPosition(e),s=.5*(e.pageX+i.x),r=.5*(e.pageY+i.y);this._rotateEnd.set(s,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let t=this.domElement;this._rotateLeft(Qt*this._rotateDelta.x/t.clientHeight),this._rotateUp(Qt*this._rotateDelta.y/t.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(e){if(this._pointers.length===1)this._panEnd.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),i=.5*(e.pageX+t.x),s=.5*(e.pageY+t.y);this._panEnd.set(i,s)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(e){let t=this._getSecondPointerPosition(e),i=e.pageX-t.x,s=e.pageY-t.y,r=Math.sqrt(i*i+s*s);this._dollyEnd.set(0,r),this._dollyDelta.set(0,Math.pow(this._dollyEnd.y/this._dollyStart.y,this.zoomSpeed)),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let o=(e.pageX+t.x)*.5,a=(e.pageY+t.y)*.5;this._updateZoomParameters(o,a)}_handleTouchMoveDollyPan(e){this.enableZoom&&this._handleTouchMoveDolly(e),this.enablePan&&this._handleTouchMovePan(e)}_handleTouchMoveDollyRotate(e){this.enableZoom&&this._handleTouchMoveDolly(e),this.enableRotate&&this._handleTouchMoveRotate(e)}_addPointer(e){this._pointers.push(e.pointerId)}_removePointer(e){delete this._pointerPositions[e.pointerId];for(let t=0;t<this._pointers.length;t++)if(this._pointers[t]==e.pointerId){this._pointers.splice(t,1);return}}_isTrackingPointer(e){for(let t=0;t<this._pointers.length;t++)if(this._pointers[t]==e.pointerId)return!0;return!1}_trackPointer(e){let t=this._pointerPositions[e.pointerId];t===void 0&&(t=new Te,this._pointerPositions[e.pointerId]=t),t.set(e.pageX,e.pageY)}_getSecondPointerPosition(e){let t=e.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[t]}_customWheelEvent(e){let t=e.deltaMode,i={clientX:e.clientX,clientY:e.clientY,deltaY:e.deltaY};switch(t){case 1:i.deltaY*=16;break;case 2:i.deltaY*=100;break}return e.ctrlKey&&!this._controlActive&&(i.deltaY*=10),i}};function $_(n){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(n.pointerId),this.domElement.ownerDocument.addEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.addEventListener("pointerup",this._onPointerUp)),!this._isTrackingPointer(n)&&(this._addPointer(n),n.pointerType==="touch"?this._onTouchStart(n):this._onMouseDown(n),this._cursorStyle==="grab"&&(this.domElement.style.cursor="grabbing")))}function Z_(n){this.enabled!==!1&&(n.pointerType==="touch"?this._onTouchMove(n):this._onMouseMove(n))}function J_(n){switch(this._removePointer(n),this._pointers.length){case 0:this.domElement.releasePointerCapture(n.pointerId),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.dispatchEvent(df),this.state=Ze.NONE,this._cursorStyle==="grab"&&(this.domElement.style.cursor="grab");break;case 1:let e=this._pointers[0],t=this._pointerPositions[e];this._onTouchStart({pointerId:e,pageX:t.x,pageY:t.y});break}}function K_(n){let e;switch(n.button){case 0:e=this.mouseButtons.LEFT;break;case 1:e=this.mouseButtons.MIDDLE;break;case 2:e=this.mouseButtons.RIGHT;break;default:e=-1}switch(e){case cn.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(n),this.state=Ze.DOLLY;break;case cn.ROTATE:if(n.ctrlKey||n.metaKey||n.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(n),this.state=Ze.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(n),this.state=Ze.ROTATE}break;case cn.PAN:if(n.ctrlKey||n.metaKey||n.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(n),this.state=Ze.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(n),this.state=Ze.PAN}break;default:this.state=Ze.NONE}this.state!==Ze.NONE&&this.dispatchEvent(rc)}function j_(n){switch(this.state){case Ze.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(n);break;case Ze.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(n);break;case Ze.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(n);break}}function Q_(n){this.enabled===!1||this.enableZoom===!1||this.state!==Ze.NONE||(n.preventDefault(),this.dispatchEvent(rc),this._handleMouseWheel(this._customWheelEvent(n)),this.dispatchEvent(df))}function eb(n){this.enabled!==!1&&this._handleKeyDown(n)}function tb(n){switch(this._trackPointer(n),this._pointers.length){case 1:switch(this.touches.ONE){case un.ROTATE:if(this.enableRotate===!1){this.state=Ze.NONE;break}this._handleTouchStartRotate(n),this.state=Ze.TOUCH_ROTATE;break;case un.PAN:if(this.enablePan===!1){this.state=Ze.NONE;break}this._handleTouchStartPan(n),this.state=Ze.TOUCH_PAN;break;default:this.state=Ze.NONE}break;case 2:switch(this.touches.TWO){case un.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(n),this.state=Ze.TOUCH_DOLLY_PAN;break;case un.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(n),this.state=Ze.TOUCH_DOLLY_ROTATE;break;default:this.state=Ze.NONE}break;default:this.state=Ze.NONE}this.state!==Ze.NONE&&this.dispatchEvent(rc)}function ib(n){switch(this._trackPointer(n),this.state){case Ze.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(n),this.update();break;case Ze.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(n),this.update();break;case Ze.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(n),this.update();break;case Ze.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(n),this.update();break;default:this.state=Ze.NONE}}function nb(n){this.enabled!==!1&&n.preventDefault()}function sb(n){n.key==="Control"&&(this._controlActive=!0,this.domElement.ownerDocument.addEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function rb(n){n.key==="Control"&&(this._controlActive=!1,this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}var ob={usual:[-.5,-1,.42],front:[0,-1,0],right:[1,0,0],top:[0,-1e-4,1]},ab=.84,ff=new R(0,0,1),Wa=class{constructor(e,t){this.camera=new Vt(32,1,.01,1e3),this.camera.up.copy(ff),this.controls=new Va(this.camera,e),this.controls.zoomToCursor=!0,this.controls.addEventListener("change",t),this.touched=!1,this.controls.addEventListener("start",()=>this.touched=!0),lb(this.controls,e)}setSize(e,t){this.camera.aspect=e/t,this.camera.updateProjectionMatrix()}fit(e,t){if(!e.length)return;let{camera:i,controls:s}=this,r=t?new R(...ob[t]):i.position.clone().sub(s.target);r.normalize();let o=new R().crossVectors(ff,r).normalize(),a=new R().crossVectors(r,o),h=[o,a,r],l=[1/0,1/0,1/0],c=[-1/0,-1/0,-1/0],u=new R;for(let _=0;_<e.length;_+=3)u.fromArray(e,_),h.forEach((m,g)=>{let M=u.dot(m);l[g]=Math.min(l[g],M),c[g]=Math.max(c[g],M)});let d=h.reduce((_,m,g)=>_.addScaledVector(m,(l[g]+c[g])/2),new R),f=ab*Math.tan(i.fov*Math.PI/360),p=0;for(let _=0;_<e.length;_+=3){u.fromArray(e,_).sub(d);let m=Math.max(Math.abs(u.dot(o))/(f*i.aspect),Math.abs(u.dot(a))/f);p=Math.max(p,m+u.dot(r))}p=Math.max(p,1e-9),i.position.copy(d).addScaledVector(r,p),s.target.copy(d),s.update()}get distance(){return this.camera.position.distanceTo(this.controls.target)}centre(e){this.camera.position.add(e).sub(this.controls.target),this.controls.target.copy(e),this.controls.update()}setDepth(e,t){let i=this.camera.position.distanceTo(e),s=Math.min(.002*(i+t),.02*this.distance);this.camera.near=Math.max(i-1.2*t,s),this.camera.far=i+2*t,this.camera.updateProjectionMatrix(),this.camera.updateMatrixWorld()}};function lb(n,e){let t=()=>e.clientHeight>.6*window.innerHeight,i=!1;e.addEventListener("pointerdown",()=>i=!0),e.addEventListener("pointerleave",s=>s.buttons||(i=!1)),e.addEventListener("wheel",()=>n.enableZoom=i||t(),{capture:!0,passive:!0})}var ws=84,pf=28,oc=["#dc3833","#389940","#3366dc","#8a6d1f"],hb="http://www.w3.org/2000/svg",Xa=class{constructor(e,t,i){let s=new R(...t.gravity);this.arms=[[1,0,0,"x"],[0,1,0,"y"],[0,0,1,"z"]].map(([o,a,h,l])=>({along:new R(o,a,h),name:l})),s.length()>0&&this.arms.push({along:s.normalize(),name:"g"});for(let{along:o}of this.arms)o.applyQuaternion(i);this.element=document.createElement("div"),this.element.className="fb-corner",this.element.style.cssText="position:absolute;right:8px;bottom:6px;pointer-events:none;text-align:center;font:11px/1.2 system-ui,sans-serif";let r=vr("svg",{width:ws,height:ws,viewBox:`${-ws/2} ${-ws/2} ${ws} ${ws}`,style:"display:block;margin:auto",role:"img","aria-label":"Axes of the ground"});this.arms.forEach((o,a)=>{o.line=vr("line",{stroke:oc[a],"stroke-width":a<3?2:1.6,"stroke-linecap":"round"}),o.head=vr("path",{fill:oc[a]}),o.text=vr("text",{fill:oc[a],"font-size":11,"font-weight":600,"text-anchor":"middle","dominant-baseline":"central"}),o.text.textContent=o.name,o.group=vr("g",{}),o.group.append(o.line,o.head,o.text),r.append(o.group)}),this.grid=document.createElement("div"),this.element.append(r,this.grid),e.append(this.element)}update(e,t,i,s){let r=e.quaternion.clone().invert();for(let a of this.arms){let h=a.along.clone().applyQuaternion(r),l=a.name==="g"?.8*pf:pf,c=l*h.x,u=-l*h.y;ac(a.line,{x1:0,y1:0,x2:c.toFixed(1),y2:u.toFixed(1),"stroke-dasharray":a.name==="g"?"3 3":"none"});let d=Math.hypot(c,u)||1,[f,p]=[c/d,u/d],_=d>4?3.2:0,m=[c+6*f,u+6*p];a.head.setAttribute("d",`M${m[0].toFixed(1)} ${m[1].toFixed(1)}L${(c-_*p).toFixed(1)} ${(u+_*f).toFixed(1)}L${(c+_*p).toFixed(1)} ${(u-_*f).toFixed(1)}Z`);let g=a.name==="g"?9:0;ac(a.text,{x:(c+12*f+g).toFixed(1),y:(u+12*p-(d>4?0:10)).toFixed(1),opacity:h.z<-.6?.6:1})}let o=`grid ${cb(s)}`;this.grid.textContent!==o&&(this.grid.textContent=o),this.grid.style.color=t.quiet,this.grid.style.visibility=i?"visible":"hidden"}};function vr(n,e){return ac(document.createElementNS(hb,n),e)}function ac(n,e){for(let[t,i]of Object.entries(e))n.setAttribute(t,i);return n}function cb(n){let[e,t]=n>=1e3?[.001,"km"]:n>=.5?[1,"m"]:n>=.01?[100,"cm"]:n>=.001?[1e3,"mm"]:[1e6,"µm"];return`${Number((n*e).toPrecision(3))} ${t}`}var qa=class{constructor(e){this.scene=e,this.stride=e.bodies.length+1,this.copies=e.together?Math.max(1,e.clips.length):1,this.matrices=new Float64Array(12*this.stride*this.copies);for(let t=0;t<this.stride*this.copies;t++)this.setIdentity(t);this.places=Array.from({length:this.copies},()=>({row:0,fraction:0,length:0})),this.clips=e.clips.slice(0,this.copies),this.turn=new Float64Array(4),this.outside=null}index(e,t=0){return t*this.stride+(e<0?this.stride-1:e)}setIdentity(e){this.matrices.fill(0,12*e,12*e+12),this.matrices[12*e]=this.matrices[12*e+5]=this.matrices[12*e+10]=1}setTime(e,t){this.scene.together||(this.clips[0]=t),this.outside=null;for(let i=0;i<this.copies;i++)this.clips[i]&&this.setCopy(i,e)}setCopy(e,t){let{t:i,positions:s,turns:r}=this.clips[e],o=of(i,t,this.places[e]),a=this.stride-1,h=s.values,l=r.values,c=this.matrices;for(let u=0,d=12*e*this.stride;u<a;u++,d+=12){lc(vs(l,4*a,4*u,o,this.turn),c,d);for(let f=0;f<3;f++)c[d+4*f+3]=za(i,h,3*a,3*u+f,o)}}setPoses(e,t){this.outside=t??{};for(let i=0;i<this.stride-1;i++)for(let s=0;s<3;s++){let r=12*i+4*s;for(let o=0;o<3;o++)this.matrices[r+o]=e[12*i+3*s+o];this.matrices[r+3]=e[12*i+9+s]}}value(e,t=0){if(e<0)return NaN;if(this.outside)return this.outside[this.scene.series[e].key]??NaN;let i=this.clips[t];return i?ka(i.series.column(e),1,0,this.places[t]):NaN}isFinite(e){let t=this.matrices;return Number.isFinite(t[12*e]+t[12*e+3]+t[12*e+7]+t[12*e+11])}point(e,t,i,s=0){let r=this.matrices,o=t[0],a=t[1],h=t[2];for(let l=0,c=12*e;l<3;l++,c+=4)i[s+l]=r[c]*o+r[c+1]*a+r[c+2]*h+r[c+3];return i}};function lc(n,e,t){let i=n[0],s=n[1],r=n[2],o=n[3],a=2/(i*i+s*s+r*r+o*o);e[t]=1-a*(r*r+o*o),e[t+1]=a*(s*r-i*o),e[t+2]=a*(s*o+i*r),e[t+4]=a*(s*r+i*o),e[t+5]=1-a*(s*s+o*o),e[t+6]=a*(r*o-i*s),e[t+8]=a*(s*o-i*r),e[t+9]=a*(r*o+i*s),e[t+10]=1-a*(s*s+r*r)}var ub=16e3,db=80,mf=new Set(["bodies","joints","constraints"]);function xf(n){let e=Array.from({length:n.bodies.length+1},hc),t=s=>e[s<0?n.bodies.length:s],i=n.geometries.map(({vertices:s})=>gf(Ya(hc(),s)));n.items.forEach(({layer:s,geometry:r,body:o},a)=>{if(!mf.has(s)||!i[r])return;let h=n.item_transforms.subarray(12*a,12*a+12),l=i[r];for(let c=0;c<24;c+=3)wr(t(o),...[0,4,8].map(u=>h[u]*l[c]+h[u+1]*l[c+1]+h[u+2]*l[c+2]+h[u+3]))});for(let{body:s,points:r}of n.flexible)Ya(t(s),r);for(let{body:s,points:r,layer:o}of n.lines)mf.has(o)&&Ya(t(s),r);for(let{bodies:s,points:r}of n.links)s.forEach((o,a)=>wr(t(o),...r[a]));return n.bodies.forEach(({com:s,trail:r},o)=>{wr(t(o),...s),e[o][0]===e[o][3]&&wr(t(o),...r)}),e.map(gf)}var hc=()=>[1/0,1/0,1/0,-1/0,-1/0,-1/0];function wr(n,e,t,i){Number.isFinite(e+t+i)&&(n[0]=Math.min(n[0],e),n[1]=Math.min(n[1],t),n[2]=Math.min(n[2],i),n[3]=Math.max(n[3],e),n[4]=Math.max(n[4],t),n[5]=Math.max(n[5],i))}function Ya(n,e){for(let t=0;t+2<e.length;t+=3)wr(n,e[t],e[t+1],e[t+2]);return n}function gf(n){return n[3]>=n[0]?Float64Array.from({length:24},(e,t)=>n[t%3+(Math.floor(t/3)>>t%3&1?3:0)]):null}function yf(n){let e=0;for(let t=0;n&&t<24;t+=3)e=Math.max(e,Math.hypot(n[t],n[t+1],n[t+2]));return e}function _f(n,e,t){let i=[],s=n.bodies.length,r=new Float64Array(4),o=new Float64Array(12),a={row:0,fraction:0,length:0},h=Math.max(2,Math.min(db,Math.floor(ub/(s*n.clips.length))));for(let{t:c,positions:u,turns:d}of n.clips){let f=Math.min(h,c.length);for(let p=0;p<f;p++){let _=f>1?Math.round(p*(c.length-1)/(f-1)):0;a.row=_;for(let m=0;m<s;m++){lc(vs(d.values,4*s,4*m,a,r),o,0);for(let g=0;g<3;g++)o[4*g+3]=u.values[3*(_*s+m)+g];bf(t[m],o,0,i)}}}for(let c=-1;c<s;c++)$a(e,t,c,i);let l=Za(i);if(!(Math.max(l[3]-l[0],l[4]-l[1],l[5]-l[2])>1e-6*n.size)){let c=i.length?i.slice(0,3):[0,0,0];for(let u of[-1,1])i.push(...c.map(d=>d+u*n.size))}return Float64Array.from(i)}function $a(n,e,t,i){for(let s=0;s<n.copies;s++)bf(e[t<0?e.length-1:t],n.matrices,12*n.index(t,s),i)}function bf(n,e,t,i){if(!(!n||!Number.isFinite(e[t]+e[t+3]+e[t+7]+e[t+11])))for(let s=0;s<24;s+=3)for(let r=0,o=t;r<3;r++,o+=4)i.push(e[o]*n[s]+e[o+1]*n[s+1]+e[o+2]*n[s+2]+e[o+3])}function Za(n){return Ya(hc(),n)}de.line={worldUnits:{value:1},linewidth:{value:1},resolution:{value:new Te},dashOffset:{value:0},dashScale:{value:1},dashSize:{value:1},gapSize:{value:1}};Yt.line={uniforms:gr.merge([de.common,de.fog,de.line]),vertexShader:`
		#include <common>
		#include <color_pars_vertex>
		#include <fog_pars_vertex>
		#include <logdepthbuf_pars_vertex>
		#include <clipping_planes_pars_vertex>

		uniform float linewidth;
		uniform vec2 resolution;

		attribute vec3 instanceStart;
		attribute vec3 instanceEnd;

		attribute vec3 instanceColorStart;
		attribute vec3 instanceColorEnd;

		#ifdef WORLD_UNITS

			varying vec4 worldPos;
			varying vec3 worldStart;
			varying vec3 worldEnd;

			#ifdef USE_DASH

				varying vec2 vUv;

			#endif

		#else

			varying vec2 vUv;

		#endif

		#ifdef USE_DASH

			uniform float dashScale;
			attribute float instanceDistanceStart;
			attribute float instanceDistanceEnd;
			varying float vLineDistance;

		#endif

		float trimSegmentAlpha( const in vec4 start, const in vec4 end ) {

			// compute the interpolation factor needed to trim the segment so it terminates
			// between the camera plane and the near plane

			// conservative estimate of the near plane
			float a = projectionMatrix[ 2 ][ 2 ]; // 3nd entry in 3th column
			float b = projectionMatrix[ 3 ][ 2 ]; // 3nd entry in 4th column

			// we need different nearEstimate formula for reversed and default depth buffer
			// a is positive with a reversed depth buffer so it can be used for controlling the code flow
			float nearEstimate = ( a > 0.0 ) ? ( - b / ( a + 1.0 ) ) : ( - 0.5 * b / a );

			return ( nearEstimate - start.z ) / ( end.z - start.z );

		}

		void main() {

			#ifdef USE_COLOR

				vColor.xyz = ( position.y < 0.5 ) ? instanceColorStart : instanceColorEnd;

			#endif

			float aspect = resolution.x / resolution.y;

			// camera space
			vec4 start = modelViewMatrix * vec4( instanceStart, 1.0 );
			vec4 end = modelViewMatrix * vec4( instanceEnd, 1.0 );

			#ifdef USE_DASH

				float lineDistanceStart = dashScale * instanceDistanceStart;
				float lineDistanceEnd = dashScale * instanceDistanceEnd;

			#endif

			#ifdef WORLD_UNITS

				worldStart = start.xyz;
				worldEnd = end.xyz;

			#else

				vUv = uv;

			#endif

			// special case for perspective projection, and segments that terminate either in, or behind, the camera plane
			// clearly the gpu firmware has a way of addressing this issue when projecting into ndc space
			// but we need to perform ndc-space calculations in the shader, so we must address this issue directly
			// perhaps there is a more elegant solution -- WestLangley

			bool perspective = ( projectionMatrix[ 2 ][ 3 ] == - 1.0 ); // 4th entry in the 3rd column

			if ( perspective ) {

				if ( start.z < 0.0 && end.z >= 0.0 ) {

					float alpha = trimSegmentAlpha( start, end );
					end.xyz = mix( start.xyz, end.xyz, alpha );

					#ifdef USE_DASH

						lineDistanceEnd = mix( lineDistanceStart, lineDistanceEnd, alpha );

					#endif

				} else if ( end.z < 0.0 && start.z >= 0.0 ) {

					float alpha = trimSegmentAlpha( end, start );
					start.xyz = mix( end.xyz, start.xyz, alpha );

					#ifdef USE_DASH

						lineDistanceStart = mix( lineDistanceEnd, lineDistanceStart, alpha );

					#endif

				}

			}

			#ifdef USE_DASH

				vLineDistance = ( position.y < 0.5 ) ? lineDistanceStart : lineDistanceEnd;
				vUv = uv;

			#endif

			// clip space
			vec4 clipStart = projectionMatrix * start;
			vec4 clipEnd = projectionMatrix * end;

			// ndc space
			vec3 ndcStart = clipStart.xyz / clipStart.w;
			vec3 ndcEnd = clipEnd.xyz / clipEnd.w;

			// direction
			vec2 dir = ndcEnd.xy - ndcStart.xy;

			// account for clip-space aspect ratio
			dir.x *= aspect;
			dir = normalize( dir );

			#ifdef WORLD_UNITS

				vec3 worldDir = normalize( end.xyz - start.xyz );
				vec3 tmpFwd = perspective ? normalize( mix( start.xyz, end.xyz, 0.5 ) ) : vec3( 0.0, 0.0, - 1.0 );
				vec3 worldUp = normalize( cross( worldDir, tmpFwd ) );
				vec3 worldFwd = cross( worldDir, worldUp );
				worldPos = position.y < 0.5 ? start: end;

				// height offset
				float hw = linewidth * 0.5;
				worldPos.xyz += position.x < 0.0 ? hw * worldUp : - hw * worldUp;

				// don't extend the line if we're rendering dashes because we
				// won't be rendering the endcaps
				#ifndef USE_DASH

					// cap extension
					worldPos.xyz += position.y < 0.5 ? - hw * worldDir : hw * worldDir;

					// add width to the box
					worldPos.xyz += worldFwd * hw;

					// endcaps
					if ( position.y > 1.0 || position.y < 0.0 ) {

						worldPos.xyz -= worldFwd * 2.0 * hw;

					}

				#endif

				// project the worldpos
				vec4 clip = projectionMatrix * worldPos;

				// shift the depth of the projected points so the line
				// segments overlap neatly
				vec3 clipPose = ( position.y < 0.5 ) ? ndcStart : ndcEnd;

				// only shift the depth of vertices in front of the camera (#35137)
				if ( clip.w > 0.0 ) clip.z = clipPose.z * clip.w;

			#else

				vec2 offset = vec2( dir.y, - dir.x );
				// undo aspect ratio adjustment
				dir.x /= aspect;
				offset.x /= aspect;

				// sign flip
				if ( position.x < 0.0 ) offset *= - 1.0;

				// endcaps
				if ( position.y < 0.0 ) {

					offset += - dir;

				} else if ( position.y > 1.0 ) {

					offset += dir;

				}

				// adjust for linewidth
				offset *= linewidth;

				// adjust for clip-space to screen-space conversion // maybe resolution should be based on viewport ...
				offset /= resolution.y;

				// select end
				vec4 clip = ( position.y < 0.5 ) ? clipStart : clipEnd;

				// back to clip space
				offset *= clip.w;

				clip.xy += offset;

			#endif

			gl_Position = clip;

			vec4 mvPosition = ( position.y < 0.5 ) ? start : end; // this is an approximation

			#include <logdepthbuf_vertex>
			#include <clipping_planes_vertex>
			#include <fog_vertex>

		}
		`,fragmentShader:`
		uniform vec3 diffuse;
		uniform float opacity;
		uniform float linewidth;

		#ifdef USE_DASH

			uniform float dashOffset;
			uniform float dashSize;
			uniform float gapSize;

		#endif

		varying float vLineDistance;

		#ifdef WORLD_UNITS

			varying vec4 worldPos;
			varying vec3 worldStart;
			varying vec3 worldEnd;

			#ifdef USE_DASH

				varying vec2 vUv;

			#endif

		#else

			varying vec2 vUv;

		#endif

		#include <common>
		#include <color_pars_fragment>
		#include <fog_pars_fragment>
		#include <logdepthbuf_pars_fragment>
		#include <clipping_planes_pars_fragment>

		vec2 closestLineToLine(vec3 p1, vec3 p2, vec3 p3, vec3 p4) {

			float mua;
			float mub;

			vec3 p13 = p1 - p3;
			vec3 p43 = p4 - p3;

			vec3 p21 = p2 - p1;

			float d1343 = dot( p13, p43 );
			float d4321 = dot( p43, p21 );
			float d1321 = dot( p13, p21 );
			float d4343 = dot( p43, p43 );
			float d2121 = dot( p21, p21 );

			float denom = d2121 * d4343 - d4321 * d4321;

			float numer = d1343 * d4321 - d1321 * d4343;

			mua = numer / denom;
			mua = clamp( mua, 0.0, 1.0 );
			mub = ( d1343 + d4321 * ( mua ) ) / d4343;
			mub = clamp( mub, 0.0, 1.0 );

			return vec2( mua, mub );

		}

		void main() {

			float alpha = opacity;
			vec4 diffuseColor = vec4( diffuse, alpha );

			#include <clipping_planes_fragment>

			#ifdef USE_DASH

				if ( vUv.y < - 1.0 || vUv.y > 1.0 ) discard; // discard endcaps

				if ( mod( vLineDistance + dashOffset, dashSize + gapSize ) > dashSize ) discard; // todo - FIX

			#endif

			#ifdef WORLD_UNITS

				float len;

				if ( isOrthographic ) {

					// View rays are parallel to the z axis so the distance reduces to camera-space XY
					vec2 lineDir = worldEnd.xy - worldStart.xy;
					float t = clamp( dot( worldPos.xy - worldStart.xy, lineDir ) / dot( lineDir, lineDir ), 0.0, 1.0 );
					len = length( worldStart.xy + lineDir * t - worldPos.xy );

				} else {

					// Find the closest points on the view ray and the line segment
					vec3 rayEnd = normalize( worldPos.xyz ) * 1e5;
					vec3 lineDir = worldEnd - worldStart;
					vec2 params = closestLineToLine( worldStart, worldEnd, vec3( 0.0, 0.0, 0.0 ), rayEnd );

					vec3 p1 = worldStart + lineDir * params.x;
					vec3 p2 = rayEnd * params.y;
					vec3 delta = p1 - p2;
					len = length( delta );

				}

				float norm = len / linewidth;

				#ifndef USE_DASH

					#ifdef USE_ALPHA_TO_COVERAGE

						float dnorm = fwidth( norm );
						alpha = 1.0 - smoothstep( 0.5 - dnorm, 0.5 + dnorm, norm );

					#else

						if ( norm > 0.5 ) {

							discard;

						}

					#endif

				#endif

			#else

				#ifdef USE_ALPHA_TO_COVERAGE

					// artifacts appear on some hardware if a derivative is taken within a conditional
					float a = vUv.x;
					float b = ( vUv.y > 0.0 ) ? vUv.y - 1.0 : vUv.y + 1.0;
					float len2 = a * a + b * b;
					float dlen = fwidth( len2 );

					if ( abs( vUv.y ) > 1.0 ) {

						alpha = 1.0 - smoothstep( 1.0 - dlen, 1.0 + dlen, len2 );

					}

				#else

					if ( abs( vUv.y ) > 1.0 ) {

						float a = vUv.x;
						float b = ( vUv.y > 0.0 ) ? vUv.y - 1.0 : vUv.y + 1.0;
						float len2 = a * a + b * b;

						if ( len2 > 1.0 ) discard;

					}

				#endif

			#endif

			#include <logdepthbuf_fragment>
			#include <color_fragment>

			gl_FragColor = vec4( diffuseColor.rgb, alpha );

			#include <tonemapping_fragment>
			#include <colorspace_fragment>
			#include <fog_fragment>
			#include <premultiplied_alpha_fragment>

		}
		`};var As=class extends Bt{constructor(e){super({type:"LineMaterial",uniforms:gr.clone(Yt.line.uniforms),vertexShader:Yt.line.vertexShader,fragmentShader:Yt.line.fragmentShader,clipping:!0}),this.isLineMaterial=!0,this.setValues(e)}get color(){return this.uniforms.diffuse.value}set color(e){this.uniforms.diffuse.value=e}get worldUnits(){return"WORLD_UNITS"in this.defines}set worldUnits(e){e===!0!==this.worldUnits&&(this.needsUpdate=!0),e===!0?this.defines.WORLD_UNITS="":delete this.defines.WORLD_UNITS}get linewidth(){return this.uniforms.linewidth.value}set linewidth(e){this.uniforms.linewidth&&(this.uniforms.linewidth.value=e)}get dashed(){return"USE_DASH"in this.defines}set dashed(e){e===!0!==this.dashed&&(this.needsUpdate=!0),e===!0?this.defines.USE_DASH="":delete this.defines.USE_DASH}get dashScale(){return this.uniforms.dashScale.value}set dashScale(e){this.uniforms.dashScale.value=e}get dashSize(){return this.uniforms.dashSize.value}set dashSize(e){this.uniforms.dashSize.value=e}get dashOffset(){return this.uniforms.dashOffset.value}set dashOffset(e){this.uniforms.dashOffset.value=e}get gapSize(){return this.uniforms.gapSize.value}set gapSize(e){this.uniforms.gapSize.value=e}get opacity(){return this.uniforms.opacity.value}set opacity(e){this.uniforms&&(this.uniforms.opacity.value=e)}get resolution(){return this.uniforms.resolution.value}set resolution(e){this.uniforms.resolution.value.copy(e)}get alphaToCoverage(){return"USE_ALPHA_TO_COVERAGE"in this.defines}set alphaToCoverage(e){this.defines&&(e===!0!==this.alphaToCoverage&&(this.needsUpdate=!0),e===!0?this.defines.USE_ALPHA_TO_COVERAGE="":delete this.defines.USE_ALPHA_TO_COVERAGE)}};var Mf=new Xt,Ja=new R,Ts=class extends nr{constructor(){super(),this.isLineSegmentsGeometry=!0,this.type="LineSegmentsGeometry";let e=[-1,2,0,1,2,0,-1,1,0,1,1,0,-1,0,0,1,0,0,-1,-1,0,1,-1,0],t=[-1,2,1,2,-1,1,1,1,-1,-1,1,-1,-1,-2,1,-2],i=[0,2,1,2,3,1,2,4,3,4,5,3,4,6,5,6,7,5];this.setIndex(i),this.setAttribute("position",new ut(e,3)),this.setAttribute("uv",new ut(t,2))}applyMatrix4(e){let t=this.attributes.instanceStart,i=this.attributes.instanceEnd;return t!==void 0&&(t.applyMatrix4(e),i.applyMatrix4(e),t.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this}setPositions(e){let t;e instanceof Float32Array?t=e:Array.isArray(e)&&(t=new Float32Array(e));let i=new hn(t,6,1);return this.setAttribute("instanceStart",new Si(i,3,0)),this.setAttribute("instanceEnd",new Si(i,3,3)),this.instanceCount=this.attributes.instanceStart.count,this.computeBoundingBox(),this.computeBoundingSphere(),this}setColors(e){let t;e instanceof Float32Array?t=e:Array.isArray(e)&&(t=new Float32Array(e));let i=new hn(t,6,1);return this.setAttribute("instanceColorStart",new Si(i,3,0)),this.setAttribute("instanceColorEnd",new Si(i,3,3)),this}fromWireframeGeometry(e){return this.setPositions(e.attributes.position.array),this}fromEdgesGeometry(e){return this.setPositions(e.attributes.position.array),this}fromMesh(e){return this.fromWireframeGeometry(new er(e.geometry)),this}fromLineSegments(e){let t=e.geometry;return this.setPositions(t.attributes.position.array),this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Xt);let e=this.attributes.instanceStart,t=this.attributes.instanceEnd;e!==void 0&&t!==void 0&&(this.boundingBox.setFromBufferAttribute(e),Mf.setFromBufferAttribute(t),this.boundingBox.union(Mf))}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Jt),this.boundingBox===null&&this.computeBoundingBox();let e=this.attributes.instanceStart,t=this.attributes.instanceEnd;if(e!==void 0&&t!==void 0){let i=this.boundingSphere.center;this.boundingBox.getCenter(i);let s=0;for(let r=0,o=e.count;r<o;r++)Ja.fromBufferAttribute(e,r),s=Math.max(s,i.distanceToSquared(Ja)),Ja.fromBufferAttribute(t,r),s=Math.max(s,i.distanceToSquared(Ja));this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&console.error("THREE.LineSegmentsGeometry.computeBoundingSphere(): Computed radius is NaN. The instanced position data is likely to have NaN values.",this)}}toJSON(){}};var cc=new et,Sf=new R,vf=new R,Rt=new et,Pt=new et,Ii=new et,uc=new R,dc=new Ke,It=new rr,wf=new R,Ka=new Xt,ja=new Jt,Li=new et,Di,Un;function Af(n,e,t){return Li.set(0,0,-e,1).applyMatrix4(n.projectionMatrix),Li.multiplyScalar(1/Li.w),Li.x=Un/t.width,Li.y=Un/t.height,Li.applyMatrix4(n.projectionMatrixInverse),Li.multiplyScalar(1/Li.w),Math.abs(Math.max(Li.x,Li.y))}function fb(n,e){let t=n.matrixWorld,i=n.geometry,s=i.attributes.instanceStart,r=i.attributes.instanceEnd,o=Math.min(i.instanceCount,s.count);for(let a=0,h=o;a<h;a++){It.start.fromBufferAttribute(s,a),It.end.fromBufferAttribute(r,a),It.applyMatrix4(t);let l=new R,c=new R;Di.distanceSqToSegment(It.start,It.end,c,l),c.distanceTo(l)<Un*.5&&e.push({point:c,pointOnLine:l,distance:Di.origin.distanceTo(c),object:n,face:null,faceIndex:a,uv:null,uv1:null})}}function pb(n,e,t){let i=e.projectionMatrix,r=n.material.resolution,o=n.matrixWorld,a=n.geometry,h=a.attributes.instanceStart,l=a.attributes.instanceEnd,c=Math.min(a.instanceCount,h.count),u=-e.near;Di.at(1,Ii),Ii.w=1,Ii.applyMatrix4(e.matrixWorldInverse),Ii.applyMatrix4(i),Ii.multiplyScalar(1/Ii.w),Ii.x*=r.x/2,Ii.y*=r.y/2,Ii.z=0,uc.copy(Ii),dc.multiplyMatrices(e.matrixWorldInverse,o);for(let d=0,f=c;d<f;d++){if(Rt.fromBufferAttribute(h,d),Pt.fromBufferAttribute(l,d),Rt.w=1,Pt.w=1,Rt.applyMatrix4(dc),Pt.applyMatrix4(dc),Rt.z>u&&Pt.z>u)continue;if(Rt.z>u){let T=Rt.z-Pt.z,v=(Rt.z-u)/T;Rt.lerp(Pt,v)}else if(Pt.z>u){let T=Pt.z-Rt.z,v=(Pt.z-u)/T;Pt.lerp(Rt,v)}Rt.applyMatrix4(i),Pt.applyMatrix4(i),Rt.multiplyScalar(1/Rt.w),Pt.multiplyScalar(1/Pt.w),Rt.x*=r.x/2,Rt.y*=r.y/2,Pt.x*=r.x/2,Pt.y*=r.y/2,It.start.copy(Rt),It.start.z=0,It.end.copy(Pt),It.end.z=0;let _=It.closestPointToPointParameter(uc,!0);It.at(_,wf);let m=mr.lerp(Rt.z,Pt.z,_),g=m>=-1&&m<=1,M=uc.distanceTo(wf)<Un*.5;if(g&&M){It.start.fromBufferAttribute(h,d),It.end.fromBufferAttribute(l,d),It.start.applyMatrix4(o),It.end.applyMatrix4(o);let T=new R,v=new R;Di.distanceSqToSegment(It.start,It.end,v,T),t.push({point:v,pointOnLine:T,distance:Di.origin.distanceTo(v),object:n,face:null,faceIndex:d,uv:null,uv1:null})}}}var Qa=class extends Tt{constructor(e=new Ts,t=new As({color:Math.random()*16777215})){super(e,t),this.isLineSegments2=!0,this.type="LineSegments2"}computeLineDistances(){let e=this.geometry,t=e.attributes.instanceStart,i=e.attributes.instanceEnd,s=new Float32Array(2*t.count);for(let o=0,a=0,h=t.count;o<h;o++,a+=2)Sf.fromBufferAttribute(t,o),vf.fromBufferAttribute(i,o),s[a]=a===0?0:s[a-1],s[a+1]=s[a]+Sf.distanceTo(vf);let r=new hn(s,2,1);return e.setAttribute("instanceDistanceStart",new Si(r,1,0)),e.setAttribute("instanceDistanceEnd",new Si(r,1,1)),this}raycast(e,t){let i=this.material.worldUnits,s=e.camera;if(s===null&&!i&&console.error('LineSegments2: "Raycaster.camera" needs to be set in order to raycast against LineSegments2 while worldUnits is set to false.'),i===!1&&(this.material.resolution.x===0||this.material.resolution.y===0))return;let r=e.params.Line2!==void 0&&e.params.Line2.threshold||0;Di=e.ray;let o=this.matrixWorld,a=this.geometry,h=this.material;Un=h.linewidth+r,a.boundingSphere===null&&a.computeBoundingSphere(),ja.copy(a.boundingSphere).applyMatrix4(o);let l;if(i)l=Un*.5;else{let u=Math.max(s.near,ja.distanceToPoint(Di.origin));l=Af(s,u,h.resolution)}if(ja.radius+=l,Di.intersectsSphere(ja)===!1)return;a.boundingBox===null&&a.computeBoundingBox(),Ka.copy(a.boundingBox).applyMatrix4(o);let c;if(i)c=Un*.5;else{let u=Math.max(s.near,Ka.distanceToPoint(Di.origin));c=Af(s,u,h.resolution)}Ka.expandByScalar(c),Di.intersectsBox(Ka)!==!1&&(i?fb(this,t):pb(this,s,t))}onBeforeRender(e){let t=this.material.uniforms;t&&t.resolution&&(e.getViewport(cc),this.material.uniforms.resolution.value.set(cc.z,cc.w))}};var xn=class{constructor(e,t,{layer:i,width:s=2,opacity:r=1}){this.layer=i;let o=new Ts().setPositions(e);t&&o.setColors(t),this.material=new As({linewidth:s,vertexColors:!!t,opacity:r,transparent:r<1,depthWrite:r===1}),this.mesh=new Qa(o,this.material),this.mesh.frustumCulled=!1,this.mesh.renderOrder=r<1?2:0,this.meshes=[this.mesh],this.ends=e}get visible(){return this.mesh.visible}set visible(e){this.mesh.visible=e}set count(e){this.mesh.geometry.instanceCount=e}endsChanged(){this.mesh.geometry.getAttribute("instanceStart").data.needsUpdate=!0}dispose(){this.mesh.removeFromParent(),this.mesh.geometry.dispose(),this.material.dispose()}};var mb=60,el=class{constructor(e,t){Object.assign(this,{scene:e,poses:t}),this.meshes=[];for(let i=0;i<t.copies;i++)for(let s of e.flexible)this.meshes.push(new fc(s,i,e,t));this.ranges=new Map}get objects(){return this.meshes.flatMap(e=>e.objects)}get surfaces(){return this.meshes.flatMap(({surface:e})=>e?[e]:[])}bodyOf(e){return this.meshes.find(({surface:t})=>t===e)?.item.body}setVisible(e){for(let t of this.objects)t.visible=e}update(e,{magnify:t,colouring:i},s){let r=i==="plain"?0:this.range(s.clip,i);for(let o of this.meshes)o.update(e,t,i,r,s)}range(e,t){let i=`${e} ${t}`;if(this.ranges.has(i))return this.ranges.get(i);let s=Math.max(0,...this.meshes.map(r=>r.largest(this.poses.clips[r.copy],t)));return this.poses.clips[0]&&this.ranges.set(i,s),s}},fc=class{constructor(e,t,i,s){Object.assign(this,{item:e,copy:t,scene:i,poses:s});let{points:r,lines:o,triangles:a}=e;this.count=r.length/3,this.values=new Float64Array(e.coordinates.length),this.displacements=new Float32Array(r.length),this.placed=new Float32Array(r.length),this.quantity=new Float32Array(this.count),this.edges=xb(o,a),this.degree=new Float32Array(this.count);for(let h of this.edges)this.degree[h]+=1;this.objects=[],a.length&&this.makeSurface(),o.length&&(this.wide=this.addLines(new Float32Array(3*o.length),a.length?{width:1,opacity:.5}:{width:4})),this.restEnds=o.length?yb(r,o):_b(r,a),this.restEnds.length&&(this.rest=this.addLines(new Float32Array(this.restEnds.length),{width:1,opacity:.3}))}makeSurface(){let e=new mt,t=i=>new ot(new Float32Array(i*this.count),i);e.setAttribute("position",t(3)).setAttribute("normal",t(3)).setAttribute("color",t(3)),e.setIndex(new ot(this.item.triangles,1)),e.boundingSphere=new Jt(new R,1/0),this.surface=new Tt(e,Ss(e,{opacity:this.poses.copies>1?.4:1})),this.surface.frustumCulled=!1,this.objects.push(this.surface)}addLines(e,t){let i=new xn(e,t.width>1?new Float32Array(e.length):null,{layer:"bodies",...t});return this.objects.push(i.mesh),i}displace(e){let{shapes:t}=this.item,i=e.length;for(let s=0,r=0;s<this.displacements.length;s++){let o=0;for(let a=0;a<i;a++)o+=t[r++]*e[a];this.displacements[s]=o}}measure(e){let{displacements:t,quantity:i,edges:s,degree:r,item:{points:o}}=this;if(e==="displacement"){for(let a=0;a<this.count;a++)i[a]=Math.hypot(t[3*a],t[3*a+1],t[3*a+2]);return}i.fill(0);for(let a=0;a<s.length;a+=2){let h=3*s[a],l=3*s[a+1],c=0,u=0;for(let d=0;d<3;d++){let f=o[l+d]-o[h+d];c+=f*(t[l+d]-t[h+d]),u+=f*f}u>0&&(i[s[a]]+=c/u/r[s[a]],i[s[a+1]]+=c/u/r[s[a+1]])}}largest(e,t){let i=0,s=e?e.t.length:1;for(let r=0;r<s;r+=Math.max(1,Math.floor(s/mb))){this.displace(this.item.coordinates.map(o=>e?e.series.column(o)[r]:this.poses.value(o))),this.measure(t);for(let o of this.quantity)Math.abs(o)>i&&(i=Math.abs(o))}return i}update(e,t,i,s,{selected:r,hovered:o}){let{item:a,poses:h,placed:l}=this;a.coordinates.forEach((f,p)=>this.values[p]=h.value(f,this.copy)||0),this.displace(this.values);let c=h.matrices,u=12*h.index(a.body,this.copy);if(!h.isFinite(u/12))return;for(let f=0;f<l.length;f+=3){let p=a.points[f]+t*this.displacements[f],_=a.points[f+1]+t*this.displacements[f+1],m=a.points[f+2]+t*this.displacements[f+2];for(let g=0,M=u;g<3;g++,M+=4)l[f+g]=c[M]*p+c[M+1]*_+c[M+2]*m+c[M+3]-e[g]}i!=="plain"&&this.measure(i);let d=this.plainColour(r,o);this.surface&&this.updateSurface(i,s,d),this.wide&&this.updateLines(i,s,d),this.rest&&this.updateRest(c,u,e)}plainColour(e,t){let{item:i,scene:s,poses:r}=this,o=r.copies>1?s.clips[this.copy].color:null,a=jt(o??i.color??s.bodies[i.body].color,gb);return i.body===e?a.lerp(bs.selected,.7):i.body===t&&a.lerp(bs.hovered,.45),a}updateSurface(e,t,i){let{position:s,normal:r,color:o}=this.surface.geometry.attributes;s.array.set(this.placed),bb(this.placed,this.item.triangles,r.array);for(let a=0;a<this.count;a++)this.writeColour(a,e,t,i,o.array,3*a);s.needsUpdate=r.needsUpdate=o.needsUpdate=!0}updateLines(e,t,i){let{lines:s}=this.item,r=this.wide.material.vertexColors?this.wide.mesh.geometry.getAttribute("instanceColorStart").data:null;for(let o=0;o<s.length;o++){for(let a=0;a<3;a++)this.wide.ends[3*o+a]=this.placed[3*s[o]+a];r&&this.writeColour(s[o],e,t,i,r.array,3*o)}r?r.needsUpdate=!0:this.wide.material.color.copy(i).multiplyScalar(.35),this.wide.endsChanged()}updateRest(e,t,i){let{rest:s,restEnds:r}=this;for(let o=0;o<r.length;o+=3)for(let a=0,h=t;a<3;a++,h+=4)s.ends[o+a]=e[h]*r[o]+e[h+1]*r[o+1]+e[h+2]*r[o+2]+e[h+3]-i[a];s.material.color.setRGB(.5,.5,.5),s.endsChanged()}writeColour(e,t,i,s,r,o){if(t==="plain"){r[o]=s.r,r[o+1]=s.g,r[o+2]=s.b;return}let a=i>0?this.quantity[e]/i:0;Ld(t,t==="strain"?.5+.5*a:a,r,o)}},gb=new Pe;function xb(n,e){let t=new Set,i=[],s=(r,o)=>{let a=Math.min(r,o)*67108864+Math.max(r,o);t.has(a)||(t.add(a),i.push(r,o))};for(let r=0;r<n.length;r+=2)s(n[r],n[r+1]);for(let r=0;r<e.length;r+=3)for(let o=0;o<3;o++)s(e[r+o],e[r+(o+1)%3]);return Uint32Array.from(i)}function yb(n,e){let t=new Float32Array(3*e.length);return e.forEach((i,s)=>t.set(n.subarray(3*i,3*i+3),3*s)),t}function _b(n,e){let t=new mt().setAttribute("position",new ot(n,3)).setIndex(new ot(e,1));return new js(t,30).getAttribute("position").array}function bb(n,e,t){t.fill(0);for(let i=0;i<e.length;i+=3){let s=3*e[i],r=3*e[i+1],o=3*e[i+2],a=n[r]-n[s],h=n[r+1]-n[s+1],l=n[r+2]-n[s+2],c=n[o]-n[s],u=n[o+1]-n[s+1],d=n[o+2]-n[s+2],f=h*d-l*u,p=l*c-a*d,_=a*u-h*c;for(let m=0;m<3;m++){let g=m===0?s:m===1?r:o;t[g]+=f,t[g+1]+=p,t[g+2]+=_}}for(let i=0;i<t.length;i+=3){let s=Math.hypot(t[i],t[i+1],t[i+2])||1;t[i]/=s,t[i+1]/=s,t[i+2]/=s}}function Tf(n){let e=10**Math.floor(Math.log10(n)),t=n/e;return t<2?[e,5]:t<5?[2*e,5]:[5*e,2]}var Mb=`
  varying vec2 at;
  uniform float radius;
  void main() {
    at = radius * position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(at, 0.0, 1.0);
  }`,Sb=`
  varying vec2 at;
  uniform vec2 shift, zero; // of the middle and of the ground's origin, both from a strong line nearby
  uniform float spacing, strong, radius;
  uniform vec3 colour, axisX, axisY;
  float line(float x, float step) {
    float width = fwidth(x / step);
    float distance = abs(fract(x / step - 0.5) - 0.5);
    return (1.0 - smoothstep(0.4 * width, 1.2 * width, distance)) * (1.0 - smoothstep(0.15, 0.5, width));
  }
  void main() {
    vec2 place = at + shift;
    float weak = max(line(place.x, spacing), line(place.y, spacing));
    float heavy = max(line(place.x, spacing * strong), line(place.y, spacing * strong));
    float fade = 1.0 - smoothstep(0.1, 0.9, length(at) / radius);
    float alpha = fade * max(0.22 * weak, 0.45 * heavy);
    vec3 shown = colour;
    vec2 axes = 0.6 - 0.6 * smoothstep(0.7 * fwidth(place), 1.6 * fwidth(place), abs(place - zero));
    if (axes.y > 0.0) { shown = mix(shown, axisX, axes.y); alpha = max(alpha, fade * axes.y); }
    if (axes.x > 0.0) { shown = mix(shown, axisY, axes.x); alpha = max(alpha, fade * axes.x); }
    if (alpha < 0.004) discard;
    gl_FragColor = vec4(shown, alpha);
    #include <colorspace_fragment>
  }`,tl=class{constructor(e,t,i){let s=Math.max(e[3]-e[0],e[4]-e[1],.5*(e[5]-e[2]),.5*t);this.height=vb(e,Tf(s/5)[0]),this.radius=this.spacing=0,this.uniforms={shift:{value:new Te},zero:{value:new Te},spacing:{value:1},strong:{value:5},radius:{value:1},colour:{value:new Pe},axisX:{value:Ef(1,0,i)},axisY:{value:Ef(0,1,i)}};let r=new Bt({uniforms:this.uniforms,vertexShader:Mb,fragmentShader:Sb,transparent:!0,depthWrite:!1,side:Kt});this.mesh=new Tt(new Cn(2,2),r),this.mesh.frustumCulled=!1,this.mesh.renderOrder=-1}update(e,t,i,s){let[r,o]=Tf(i/9);this.radius=2.2*i,this.spacing=r,this.mesh.position.set(t.x,t.y,this.height-e.z);let a=[t.x+e.x,t.y+e.y],h=a.map(c=>Math.round(c/(r*o))*r*o),{uniforms:l}=this;l.shift.value.set(a[0]-h[0],a[1]-h[1]),l.zero.value.set(-h[0],-h[1]),l.spacing.value=r,l.strong.value=o,l.radius.value=this.radius,l.colour.value.copy(s.grid)}};function Ef(n,e,t){let i=new R(n,e,0).applyQuaternion(t.clone().invert()).toArray().map(Math.abs);return jt(Ia[i.indexOf(Math.max(...i))])}function vb(n,e){let t=n[5]-n[2];return n[2]>-.02*Math.max(t,e)&&n[2]<2*Math.max(t,e)?0:Math.floor((n[2]-.02*t)/(e/5))*(e/5)}var wb=.55,Ab=.35,il=class{constructor(e,t,i,s){Object.assign(this,{scene:e,poses:t,seriesIndex:i}),this.geometries=new Map,this.groups=[...this.groupItems(),...s].map(r=>this.makeGroup(r))}groupItems(){let e=new Map;return this.scene.items.forEach((t,i)=>{let s=this.scene.item_transforms.subarray(12*i,12*i+12),r=Rb(s)<0,o=t.made&&t.opacity===1?wb:Math.round(t.opacity*50)/50,a=[t.geometry,r,t.layer,o,t.made].join();e.has(a)||e.set(a,{geometry:this.geometry(t.geometry,r),look:{layer:t.layer,opacity:o,depthFirst:t.made},entries:[]}),e.get(a).entries.push({item:t,transform:r?Cb(s):s})}),[...e.values()]}geometry(e,t){let i=`${e} ${t}`;return this.geometries.has(i)||this.geometries.set(i,Tb(this.scene.geometries[e],t)),this.geometries.get(i)}makeGroup({geometry:e,look:t,entries:i}){let{copies:s}=this.poses;s>1&&(t={...t,opacity:Math.min(t.opacity??1,Ab),depthFirst:!1});let r=new $i(e,i.length*s,t),o=Int32Array.from({length:r.mesh.count},(h,l)=>i[l%i.length].item.body),a=Int32Array.from(i,({item:h})=>h.engaged?this.seriesIndex.get(h.engaged)??-1:-1);return{batch:r,entries:i,bodies:o,series:a}}get batches(){return this.groups.map(({batch:e})=>e)}bodyOf(e,t){return this.groups.find(({batch:i})=>i.mesh===e)?.bodies[t]}update(e){for(let t of this.groups)t.batch.visible&&this.place(t,e)}place({batch:e,entries:t,series:i},s){let{poses:r}=this;for(let o=0,a=0;o<r.copies;o++)for(let h=0;h<t.length;h++,a+=16){let l=r.index(t[h].item.body,o);i[h]>=0&&r.value(i[h],o)===0||!r.isFinite(l)?Zi(e.matrices,a):ef(r.matrices,12*l,t[h].transform,s,e.matrices,a)}e.matricesChanged()}colour(e,t){let i=new Pe;for(let{batch:s,entries:r,bodies:o}of this.groups)for(let a=0;a<o.length;a++){let{item:h}=r[a%r.length],l=this.poses.copies>1?this.scene.clips[Math.floor(a/r.length)].color:null;jt((h.layer==="bodies"?l:null)??h.color??this.usualColour(h),i),h.layer==="bodies"&&h.body>=0&&(h.body===e?i.lerp(bs.selected,.7):h.body===t&&i.lerp(bs.hovered,.45)),s.setColour(a,i)}}usualColour({layer:e,body:t}){return Pa[e]??(t<0?Id:this.scene.bodies[t].color)}};function Tb({vertices:n,triangles:e,normals:t},i){let s=new mt;return s.setAttribute("position",new ot(i?Cf(n):n,3)),s.setIndex(new ot(i?Eb(e):e,1)),t&&s.setAttribute("normal",new ot(i?Cf(t):t,3)),s}var Cf=n=>n.map((e,t)=>t%3===0?-e:e),Eb=n=>n.map((e,t)=>t%3===0?e:n[t%3===1?t+1:t-1]),Cb=n=>n.map((e,t)=>t%4===0?-e:e);function Rb(n){return n[0]*(n[5]*n[10]-n[6]*n[9])-n[1]*(n[4]*n[10]-n[6]*n[8])+n[2]*(n[4]*n[9]-n[5]*n[8])}var Pb=120,Rf=40,Pf=16,Ib=7,nl=class{constructor(e,t,i){Object.assign(this,{scene:t,poses:i}),this.element=document.createElement("div"),this.element.className="fb-labels",this.element.style.cssText="position:absolute;inset:0;overflow:hidden;pointer-events:none;font:12px/16px system-ui,sans-serif",e.append(this.element),this.texts=t.bodies.map(({name:s})=>s.length>Rf?`${s.slice(0,Rf-1)}…`:s),this.pool=[],this.widths=null,this.point=new Float64Array(3),this.place=new R}measure(){let e=document.createElement("canvas").getContext("2d");e.font="12px system-ui, sans-serif",this.widths=this.texts.map(t=>e.measureText(t).width+8)}update(e,t,i,s,r,o,a){s&&!this.widths&&this.measure();let h=[];for(let c=0;c<this.texts.length;c++){if((!s||this.scene.bodies[c].node)&&c!==o&&c!==a)continue;let u=this.candidate(c,e,t,i);u&&h.push(u)}let l=({body:c})=>c===o?-2:c===a?-1:0;h.sort((c,u)=>l(c)-l(u)||c.depth-u.depth),this.show(Lb(h),r,o)}candidate(e,t,i,s){this.widths||this.measure();let{x:r,y:o,z:a}=t(this.poses.point(this.poses.index(e),this.scene.bodies[e].com,this.point),this.place);return a>-1&&a<1&&Math.abs(r)<1.05&&Math.abs(o)<1.05?{body:e,depth:a,x:(r+1)/2*i-this.widths[e]/2,y:(1-o)/2*s-Ib-Pf,width:this.widths[e]}:null}show(e,t,i){for(;this.pool.length<e.length;){let s=document.createElement("div");s.style.cssText="position:absolute;left:0;top:0;padding:0 4px;border-radius:4px;white-space:nowrap;unicode-bidi:isolate",this.element.append(s),this.pool.push(s)}this.pool.forEach((s,r)=>{let o=e[r];s.style.display=o?"":"none",o&&(s.textContent!==this.texts[o.body]&&(s.textContent=this.texts[o.body]),s.style.transform=`translate(${o.x.toFixed(1)}px, ${o.y.toFixed(1)}px)`,s.style.color=t.text,s.style.background=t.halo,s.style.fontWeight=o.body===i?"600":"400")})}};function Lb(n){let e=[];for(let t of n){if(e.length>=Pb)break;e.every(s=>t.x>s.x+s.width||s.x>t.x+t.width||Math.abs(t.y-s.y)>Pf)&&e.push(t)}return e}var Db=.5,Nb=.35,sl=class{constructor(e,t,i){Object.assign(this,{scene:e,poses:t}),this.series=e.links.map(({engaged:s})=>s?i.get(s)??-1:-1),this.start=new Float64Array(3),this.end=new Float64Array(3),this.along=new Float64Array(3),this.hint=new Float64Array(3),this.lengths=e.links.map(s=>this.measure(s,0)),this.parts=this.makeParts()}measure({bodies:e,points:t},i){let{poses:s,start:r,end:o,along:a,hint:h}=this,l=s.index(e[0],i);s.point(l,t[0],r),s.point(s.index(e[1],i),t[1],o);let c=Math.hypot(o[0]-r[0],o[1]-r[1],o[2]-r[2]);for(let u=0;u<3;u++)a[u]=(o[u]-r[u])/c,h[u]=s.matrices[12*l+4*u];return c}makeParts(){let e=new Map,t=(i,s,r,o)=>{e.has(`${i} ${r}`)||e.set(`${i} ${r}`,{geometry:s,layer:r,parts:[]}),e.get(`${i} ${r}`).parts.push(o)};return this.scene.links.forEach((i,s)=>{let{kind:r,layer:o}=i,a=i.radius||.004*this.scene.size;if(r==="spring"){let h=2**Math.round(Math.log2(Math.min(60,Math.max(2,this.lengths[s]/a||10)))),l=Math.min(14,Math.max(4,Math.round(h/1.6)));t(`coil ${h}`,()=>nf(l,h),o,{index:s,radius:a})}else r==="damper"?(t("cylinder",gn,o,{index:s,radius:a,housing:!0}),t("cylinder",gn,o,{index:s,radius:Nb*a})):t("cylinder",gn,o,{index:s,radius:a})}),[...e.values()].map(({geometry:i,layer:s,parts:r})=>{let o=new $i(i(),r.length*this.poses.copies,{layer:s});for(let a=0;a<o.mesh.count;a++)o.setColour(a,this.colour(r[a%r.length],Math.floor(a/r.length)));return{batch:o,parts:r}})}colour({index:e,housing:t},i){let{color:s,kind:r}=this.scene.links[e],o=this.poses.copies>1?this.scene.clips[i].color:null,a=jt(o??s??Xh[r]??Xh.line);return t?a.multiplyScalar(.7):a}get batches(){return this.parts.map(({batch:e})=>e)}update(e){for(let{batch:t,parts:i}of this.parts)if(t.visible){for(let s=0,r=0;s<this.poses.copies;s++)for(let o of i)this.place(o,s,e,t.matrices,r),r+=16;t.matricesChanged()}}place({index:e,radius:t,housing:i},s,r,o,a){let h=this.measure(this.scene.links[e],s);if(this.series[e]>=0&&this.poses.value(this.series[e],s)===0||!(h>1e-9*this.scene.size)){Zi(o,a);return}for(let u=0;u<3;u++)this.start[u]-=r[u];let c=i?Math.min(Db*this.lengths[e],.9*h):h;Sr(this.start,this.along,c,t,this.hint,o,a)}};function If(n,e){let{size:t,bodies:i}=n,s=o=>Math.min(.25*t,Math.max(.02*t,e[o]||.5*t)),r=i.map((o,a)=>a);return[...Ub([...r.map(o=>[o,.6*s(o)]),[-1,.2*t]]),Fb(i,o=>.14*s(o)),Bb(i)].filter(({entries:o})=>o.length)}function Ub(n){let e={layer:"frames",seeThrough:!0},t=i=>n.flatMap(([s,r])=>Ia.map((o,a)=>({item:{body:s,color:o,layer:"frames"},transform:Ob(a,r,i)})));return[{geometry:gn(8),look:e,entries:t({radius:.03,from:0,length:.8})},{geometry:Ba(10),look:e,entries:t({radius:.08,from:.78,length:.22})}]}function Ob(n,e,{radius:t,from:i,length:s}){let r=new Float64Array(12);return r[4*((n+1)%3)]=t*e,r[4*((n+2)%3)+1]=t*e,r[4*n+2]=s*e,r[4*n+3]=i*e,r}function Fb(n,e){let t=n.flatMap(({mass:i,com:s},r)=>{let o=e(r);return i>0?[{item:{body:r,color:[1,1,1],layer:"centres"},transform:[o,0,0,s[0],0,o,0,s[1],0,0,o,s[2]]}]:[]});return{geometry:tf(),look:{layer:"centres",seeThrough:!0},entries:t}}function Bb(n){let e=n.flatMap(({ellipsoid:t,com:i,color:s},r)=>t.length?[{item:{body:r,color:s,layer:"inertia"},transform:zb(t,i)}]:[]);return{geometry:nc(28),look:{layer:"inertia",opacity:.35},entries:e}}function zb([n,e,t,i,s,r,o],a){return[n*(1-2*(r*r+o*o)),e*2*(s*r-i*o),t*2*(s*o+i*r),a[0],n*2*(s*r+i*o),e*(1-2*(s*s+o*o)),t*2*(r*o-i*s),a[1],n*2*(s*o-i*r),e*2*(r*o+i*s),t*(1-2*(s*s+r*r)),a[2]]}var kb=5,Lf=7,Df=[[0,0],[1,0],[-1,0],[0,1],[0,-1],[.7,.7],[-.7,.7],[.7,-.7],[-.7,-.7]],Gb=new Set(["bodies","joints"]),rl=class{constructor(e){this.stage=e,this.raycaster=new sr,this.pointer=new Te,this.cost=0;let t=e.renderer.domElement,i=null;t.addEventListener("pointerdown",s=>{i=s.isPrimary&&s.button===0?[s.clientX,s.clientY]:null}),t.addEventListener("pointerup",s=>{i&&Math.hypot(s.clientX-i[0],s.clientY-i[1])<kb&&e.player.select(this.at(s)?.body??-1),i=null}),t.addEventListener("pointermove",s=>{s.buttons===0&&s.pointerType==="mouse"&&this.hoverSoon(s)}),t.addEventListener("pointerleave",()=>{this.last=null,e.player.hover(-1)}),t.addEventListener("dblclick",s=>{let r=this.at(s);r&&e.lookAt(r.point)})}hoverSoon(e){let{player:t,renderer:i}=this.stage,s=!!this.last;this.last=e,!s&&setTimeout(()=>{let r=performance.now();this.last&&!t.playing&&t.hover(this.at(this.last,!1)?.body??-1),i.domElement.style.cursor=t.hovered>=0?"pointer":"",this.cost=performance.now()-r,this.last=null},Math.min(400,16+4*this.cost))}at({clientX:e,clientY:t},i=!0){this.stage.update();let{left:s,top:r,width:o,height:a}=this.stage.renderer.domElement.getBoundingClientRect();for(let[h,l]of i?Df:Df.slice(0,1)){this.pointer.set((e-s+Lf*h)/o*2-1,1-(t-r+Lf*l)/a*2);let c=this.hit();if(c)return c}return null}hit(){let{items:e,flexible:t,camera:i}=this.stage;this.raycaster.setFromCamera(this.pointer,i);let s=e.batches.filter(({visible:r,layer:o})=>r&&Gb.has(o)).map(({mesh:r})=>r);s.push(...t.surfaces.filter(({visible:r})=>r));for(let{object:r,instanceId:o,point:a}of this.raycaster.intersectObjects(s,!1)){let h=e.bodyOf(r,o)??t.bodyOf(r);if(Number.isFinite(a.x))return h>=0?{body:h,point:a}:null}return null}};var pc=.025,Nf=.018,Hb=200,ol=class{constructor(e,t,i){Object.assign(this,{scene:e,poses:t});let s=[...new Set(e.lines.map(({layer:r})=>r))];this.groups=s.map(r=>this.makeGroup(r,i))}makeGroup(e,t){let i=this.scene.lines.filter(h=>h.layer===e),s=i.map(h=>h.dashed?Xb(h.points,this.scene.size):Wb(h.points)),r=s.reduce((h,l)=>h+l.length,0)*this.poses.copies,o=new Float32Array(r);for(let h=0,l=0;h<this.poses.copies;h++)s.forEach((c,u)=>{let{r:d,g:f,b:p}=jt(this.colour(i[u],h));for(let _=0;_<c.length;_+=3,l+=3)o.set([d,f,p],l)});let a=i.map(({engaged:h})=>h?t.get(h)??-1:-1);return{lines:i,segments:s,series:a,wide:new xn(new Float32Array(r),o,{layer:e})}}colour({color:e,layer:t,body:i},s){let r=this.poses.copies>1?this.scene.clips[s].color:null;return e??r??Pa[t]??(i<0?[.5,.5,.5]:this.scene.bodies[i].color)}get batches(){return this.groups.map(({wide:e})=>e)}update(e){let{poses:t}=this;for(let{lines:i,segments:s,series:r,wide:o}of this.groups)if(o.visible){for(let a=0,h=0;a<t.copies;a++)for(let l=0;l<i.length;h+=s[l].length,l++)r[l]>=0&&t.value(r[l],a)===0||!t.isFinite(t.index(i[l].body,a))?o.ends.fill(0,h,h+s[l].length):Vb(s[l],t.matrices,12*t.index(i[l].body,a),e,o.ends,h);o.endsChanged()}}};function Vb(n,e,t,i,s,r){for(let o=0;o<3;o++,t+=4)for(let a=0;a<n.length;a+=3)s[r+a+o]=e[t]*n[a]+e[t+1]*n[a+1]+e[t+2]*n[a+2]+e[t+3]-i[o]}function Wb(n){let e=new Float32Array(Math.max(0,2*n.length-6));for(let t=0;t+3<n.length;t+=3)e.set(n.subarray(t,t+6),2*t);return e}function Xb(n,e){let t=0;for(let a=0;a+3<n.length;a+=3)t+=Math.hypot(n[a+3]-n[a],n[a+4]-n[a+1],n[a+5]-n[a+2]);let i=Math.max((pc+Nf)*e,t/Hb),s=i*pc/(pc+Nf),r=[],o=0;for(let a=0;a+3<n.length;a+=3){let h=n.subarray(a,a+3),l=n.subarray(a+3,a+6),c=Math.hypot(l[0]-h[0],l[1]-h[1],l[2]-h[2]);for(let u=-o;u<c;u+=i){let d=Math.max(0,u)/c,f=Math.min(c,u+s)/c;if(f>d)for(let p of[d,f])for(let _=0;_<3;_++)r.push(h[_]+p*(l[_]-h[_]))}o=(o+c)%i}return new Float32Array(r)}var Uf=12e4,qb=8,al=class{constructor(e,t,i,s){Object.assign(this,{scene:e,poses:t,player:i,reference:s}),this.group=new bi,this.paths=[],this.end=new Float64Array(3),this.hasChildren=new Set(e.bodies.map(({parent:r})=>r))}bodies(){let{options:e,selected:t}=this.player;if(e.trails==="selected")return t>=0?[t]:[];let i=this.scene.bodies.map((s,r)=>r);return e.trails==="all"?i:i.filter(s=>!this.hasChildren.has(s))}prepare(){let e=this.player.layers.has("trails")&&!this.poses.outside;if(this.group.visible=e,!e)return;let t=this.bodies(),i=`${t.join()} ${this.player.clip}`;if(i===this.key)return;this.key=i;for(let a of this.paths)a.wide.dispose();this.paths=[];let s=this.poses.clips.reduce((a,h)=>a+h.t.length,0)*t.length,r=Math.max(1,Math.min(qb,Math.floor(Uf/s))),o=Math.max(1,Math.ceil(s/Uf));this.poses.clips.forEach((a,h)=>{for(let l of t)this.addPath(a,h,l,r,o)})}addPath(e,t,i,s,r){if(e.t.length<2)return;let{times:o,points:a}=Yb(e,this.scene.bodies,i,s,r,this.reference),h=new xn(new Float32Array(6*(o.length-1)),null,{layer:"trails",width:this.poses.copies>1?1.2:1.8,opacity:.75});h.material.color.copy(jt(this.poses.copies>1?e.color??this.scene.bodies[i].color:this.scene.bodies[i].color)),this.group.add(h.mesh);let l={wide:h,times:o,points:a,body:i,copy:t,last:-1};for(let c=0;c+1<o.length;c++)this.writeSegment(l,c);this.paths.push(l)}writeSegment({wide:e,points:t},i){let s=Number.isFinite(t[3*i]+t[3*i+3]);for(let r=0;r<6;r++)e.ends[6*i+r]=s?t[3*i+r]:0}update(e){if(this.prepare(),!!this.group.visible){this.group.position.set(this.reference[0]-e[0],this.reference[1]-e[1],this.reference[2]-e[2]);for(let t of this.paths)this.updatePath(t)}}updatePath(e){let{wide:t,times:i,points:s,body:r,copy:o}=e,a=0,h=i.length;for(;h-a>1;){let d=a+h>>1;i[d]<=this.player.t?a=d:h=d}let l=Math.min(a,i.length-2);e.last>=0&&e.last!==l&&this.writeSegment(e,e.last);let c=this.poses.index(r,o),u=this.poses.isFinite(c)&&Number.isFinite(s[3*l]);if(u){this.poses.point(c,this.scene.bodies[r].trail,this.end);for(let d=0;d<3;d++)t.ends[6*l+3+d]=this.end[d]-this.reference[d]}t.count=u?l+1:l,t.endsChanged(),e.last=l}};function Yb(n,e,t,i,s,r){let{t:o,positions:a,turns:h}=n,[l,c]=[a.values,h.values],[u,d,f]=e[t].trail,p={row:0,fraction:0,length:0},_=new Float64Array(4),m=[],g=[];for(let M=0;M<o.length;M+=s){p.row=M,p.length=M+1<o.length?o[M+1]-o[M]:0;let T=p.length>0&&s===1?i:1;for(let v=0;v<T;v++){p.fraction=v/T;let[E,A,x,S]=vs(c,4*e.length,4*t,p,_),U=2*(x*f-S*d),I=2*(S*u-A*f),N=2*(A*d-x*u),F=[u+E*U+x*N-S*I,d+E*I+S*U-A*N,f+E*N+A*I-x*U];m.push(o[M]+p.fraction*p.length);for(let G=0;G<3;G++)g.push(za(o,l,3*e.length,3*t+G,p)+F[G]-r[G])}}return{times:Float64Array.from(m),points:Float32Array.from(g)}}function Of(n){let e=n.map(Math.abs),t=e.indexOf(Math.max(...e));if(!(e[t]>0)||t===2&&n[2]<0)return new Ft;let i=new R().setComponent(t,-Math.sign(n[t])),s=new R().setComponent(t===0?1:0,1),r=new R().crossVectors(i,s);return new Ft().setFromRotationMatrix(new Ke().makeBasis(s,r,i)).invert()}var $b="This browser has no WebGL, so the bodies cannot be drawn.",Zb="The graphics of this page were lost. They come back by themselves, or when the page is loaded again.",ll=class{constructor(e,t,i,s=null){Object.assign(this,{holder:e,scene:t,player:i}),this.frames=0,this.firstFrame=new Promise(a=>this.tellFirstFrame=a),this.poses=new qa(t),this.poses.setTime(i.t,i.current),s&&this.poses.setPoses(s.poses,s.series),this.corners=xf(t),this.points=_f(t,this.poses,this.corners),this.box=Za(this.points),this.origin=[0,1,2].map(a=>(this.box[a]+this.box[a+3])/2),this.turn=Of(t.gravity);let r=document.createElement("canvas"),o=r.getContext("webgl2",{antialias:!0,alpha:!1,powerPreference:"high-performance"});o?this.build(r,o):this.doWithout()}doWithout(){this.player.on("time clip",()=>this.poses.setTime(this.player.t,this.player.current)),queueMicrotask(()=>this.player.emit("graphics",{state:"missing",message:$b})),this.tellFirstFrame()}build(e,t){let{scene:i,poses:s,player:r,holder:o}=this;e.style.cssText="position:absolute;inset:0;display:block;touch-action:none",getComputedStyle(o).position==="static"&&(o.style.position="relative"),o.append(e),this.renderer=new Ea({canvas:e,context:t}),this.rig=new Wa(e,()=>this.requestFrame()),this.camera=this.rig.camera;let a=new Map(i.series.map(({key:h},l)=>[h,l]));this.items=new il(i,s,a,If(i,this.corners.map(yf))),this.links=new sl(i,s,a),this.lines=new ol(i,s,a),this.arrows=new Ga(i,s),this.flexible=new el(i,s),this.trails=new al(i,s,r,[...this.origin]),this.ground=new tl(Za(this.inPicture(this.points,[0,0,0])),i.size,this.turn),this.labels=new nl(o,i,s),this.corner=new Xa(o,i,this.turn),this.batches=[this.items,this.links,this.lines,this.arrows].flatMap(({batches:h})=>h),this.world=this.makeWorld(),this.picking=new rl(this),this.items.colour(-1,-1),this.showLayers(),this.followed=r.follow,this.followedAt=this.followedPoint(),this.resize(),this.listen()}makeWorld(){let e=new bi().add(this.trails.group);e.quaternion.copy(this.turn);for(let{meshes:t}of this.batches)e.add(...t);for(let t of this.flexible.objects)e.add(t);return new Vs().add(e,this.ground.mesh)}listen(){let{player:e,renderer:t}=this;e.on("time clip",()=>{this.poses.setTime(e.t,e.current),this.moveAlong(),this.posesChanged()}),e.on("layers",()=>this.showLayers()),e.on("selection",()=>{this.items.colour(e.selected,e.hovered),e.follow!==this.followed&&this.startFollowing(),this.posesChanged()}),e.on("options",()=>this.posesChanged()),t.domElement.addEventListener("webglcontextlost",i=>{i.preventDefault(),e.emit("graphics",{state:"lost",message:Zb})}),t.domElement.addEventListener("webglcontextrestored",()=>{e.emit("graphics",{state:"restored",message:""}),this.posesChanged()}),new ResizeObserver(()=>this.resize()).observe(this.holder)}showLayers(){let{layers:e}=this.player;for(let t of this.batches)t.visible=e.has(t.layer);this.flexible.setVisible(e.has("bodies")),this.ground.mesh.visible=e.has("grid"),this.posesChanged()}setPoses(e,t){this.poses.setPoses(e,t),this.moveAlong(),this.player.emit("pose"),this.posesChanged()}followedPoint(){let{follow:e}=this.player;if(e<0)return null;let t=this.poses.point(this.poses.index(e),this.scene.bodies[e].com,[0,0,0]);return t.every(Number.isFinite)?t:null}startFollowing(){this.followed=this.player.follow,this.followedAt=this.followedPoint(),this.followedAt&&this.lookAt(this.placeInPicture(this.followedAt))}moveAlong(){let e=this.followedPoint();if(!(!e||!this.renderer)){if(!this.followedAt)return this.startFollowing();for(let t=0;t<3;t++)this.origin[t]+=e[t]-this.followedAt[t];this.followedAt=e}}lookAt(e){this.rig.touched=!0,this.rig.centre(e)}resize(){let{clientWidth:e,clientHeight:t}=this.holder,i=Math.min(2,window.devicePixelRatio),s=`${e} ${t} ${i}`;!e||!t||s===this.size||(this.size=s,this.renderer.setPixelRatio(i),this.renderer.setSize(e,t),this.rig.setSize(e,t),this.rig.touched||this.rig.fit(this.inPicture(this.pointsToShow()),"usual"),this.frames?this.render():this.requestFrame())}pointsToShow(){if(this.player.follow<0)return this.points;let e=[];for(let t=0;t<this.scene.bodies.length;t++)$a(this.poses,this.corners,t,e);return Float64Array.from(e)}placeInPicture([e,t,i],s=new R){return s.set(e-this.origin[0],t-this.origin[1],i-this.origin[2]).applyQuaternion(this.turn)}inPicture(e,t=this.origin){let i=new Float64Array(e.length),s=new R;for(let r=0;r<e.length;r+=3)s.set(e[r]-t[0],e[r+1]-t[1],e[r+2]-t[2]).applyQuaternion(this.turn).toArray(i,r);return i}fit(e=-1){this.setView(null,e)}setView(e,t=-1){if(!this.renderer)return;let i=this.pointsToShow();t>=0&&$a(this.poses,this.corners,t,i=[]),this.rig.touched=t>=0||e!=="usual",this.rig.fit(this.inPicture(i),e),this.requestFrame()}posesChanged(){this.moved=!0,this.requestFrame()}requestFrame(){this.pending||!this.renderer||(this.pending=requestAnimationFrame(()=>{this.pending=0,this.render()}))}render(){let{player:e,camera:t,origin:i,ground:s}=this,r=Wh[e.options.theme]??Wh.light;this.update(),this.world.background=r.background,s.update(new R(...i).applyQuaternion(this.turn),this.rig.controls.target,this.rig.distance,r);let o=Math.hypot(...[0,1,2].map(a=>this.box[a+3]-this.box[a]))+this.scene.size;this.rig.setDepth(this.placeInPicture([0,1,2].map(a=>(this.box[a]+this.box[a+3])/2)),1.5*o+s.radius),this.renderer.render(this.world,t),this.labels.update((a,h)=>this.placeInPicture(a,h).project(t),this.holder.clientWidth,this.holder.clientHeight,e.layers.has("labels"),r,e.selected,e.hovered),this.corner.update(t,r,s.mesh.visible,s.spacing),this.frames+=1,this.tellFirstFrame()}update(){if(!this.moved)return;this.moved=!1;let{origin:e,player:t}=this;this.items.update(e),this.links.update(e),this.lines.update(e),this.arrows.update(e,t.options.arrowScale),t.layers.has("bodies")&&this.flexible.update(e,t.options,t),this.trails.update(e)}project(e,t){let{x:i,y:s}=this.placeInPicture(this.poses.point(this.poses.index(e),t,[0,0,0])).project(this.camera),{clientWidth:r,clientHeight:o}=this.holder;return[(i+1)/2*r,(1-s)/2*o]}};window.freebodyViews??(window.freebodyViews=[]);async function Jb(n){let e=await dl(n.dataset.scene),t=new Mr(e);n.dataset.time&&t.seek(Number(n.dataset.time));let i=document.createElement("div");i.className="fb-stage",n.append(i);let s=e.motion?new Fa(e.motion):null,r=new ll(i,e,t,s);Object.assign(n.freebody,{scene:e,player:t,stage:r,motion:s,project:(o,a)=>r.project(o,a)}),Yd(n,n.freebody),await r.firstFrame}Xd();for(let n of document.querySelectorAll(".fb-view"))n.freebody||(n.freebody={get frames(){return this.stage?this.stage.frames:0}},n.freebody.ready=Jb(n).catch(e=>{throw n.textContent=`The 3D view cannot be shown. ${e.message}`,e}),window.freebodyViews.push(n.freebody));var mc=new Map;async function Kb(n){let e=[...document.querySelectorAll(".fb-view")].find(t=>t.dataset.scene===n);return e?e.freebody.ready.then(()=>e.freebody):(mc.has(n)||mc.set(n,dl(n).then(t=>({scene:t,player:new Mr(t)}))),mc.get(n))}for(let n of document.querySelectorAll(".fb-plot"))n.freebody||(n.freebody={},n.freebody.ready=Kb(n.dataset.scene).then(e=>Object.assign(n.freebody,e,{plots:Qd(n,e)})).catch(e=>{throw n.childElementCount||(n.textContent=`The plot cannot be shown. ${e.message}`),e}));})();
