#include "composition/report/HtmlStyle.hpp"

#include <string_view>

#include "composition/report/SvgTheme.hpp"

namespace openmi {
namespace {

constexpr std::string_view kPage = R"css(
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1.2rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--background);color:var(--ink);font:15px/1.55 Inter,"Segoe UI","Helvetica Neue",Roboto,
"Noto Sans","Liberation Sans","DejaVu Sans Condensed",Arial,sans-serif;font-variant-numeric:tabular-nums}
h1,h2,h3,.figure b{font-family:"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua","URW Palladio L",
"TeX Gyre Pagella",Georgia,"DejaVu Serif Condensed",serif;font-weight:600;line-height:1.2;letter-spacing:-.01em}
h1{font-size:2.5rem;margin:.35rem 0 .5rem;overflow-wrap:anywhere}
h2{font-size:1.6rem;margin:0 0 1rem}
h3{font-size:1.12rem;margin:1.8rem 0 .5rem}
h2+h3{margin-top:.4rem}
p{margin:.4rem 0 .9rem;max-width:46rem}
a{color:var(--accent)}
small{display:block;font-size:.78rem;line-height:1.35;color:var(--muted);font-weight:400}
code{font-family:"JetBrains Mono",Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;font-size:.82em;
overflow-wrap:anywhere}
.page{max-width:1220px;margin:0 auto;padding:0 2rem 4rem;display:grid;grid-template-columns:11rem minmax(0,1fr);
column-gap:3rem}
header{grid-column:1/-1;padding:3rem 0 1.8rem;border-bottom:1px solid var(--border);margin-bottom:2.2rem}
.over{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center;font-size:.76rem;letter-spacing:.09em;
text-transform:uppercase;color:var(--muted)}
.subtitle{font-size:1.1rem;color:var(--muted);margin:.1rem 0 .9rem;max-width:52rem}
.period{display:flex;flex-wrap:wrap;gap:.3rem 2rem;margin:0;padding:0;list-style:none;font-size:.88rem}
.period b{font-weight:600}
.period span{color:var(--muted);margin-right:.45rem}
nav{font-size:.88rem}
nav ol{list-style:none;margin:0;padding:0;position:sticky;top:1.4rem}
nav a{display:block;padding:.28rem 0 .28rem .8rem;color:var(--muted);text-decoration:none;
border-left:2px solid var(--border)}
nav a:hover,nav a.here{color:var(--ink);border-color:var(--accent)}
main{min-width:0}
section{margin:0 0 3.2rem}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(10.5rem,1fr));gap:1px;background:var(--panel);
border:1px solid var(--border);border-radius:8px;overflow:hidden;margin:0 0 2.6rem}
.figure{background:var(--panel);padding:1rem 1.1rem .9rem;box-shadow:0 0 0 1px var(--border);border-top:3px solid transparent}
.figure.ok{border-top-color:var(--good)}
.figure.caution{border-top-color:var(--warn)}
.figure.fail{border-top-color:var(--bad)}
.figure>span{display:block;font-size:.78rem;color:var(--muted)}
.figure b{display:block;font-size:1.55rem;margin:.15rem 0 .1rem;overflow-wrap:anywhere}
.figure b i{font:400 .86rem/1 Inter,"Segoe UI","Helvetica Neue",Roboto,"Noto Sans","Liberation Sans",
"DejaVu Sans Condensed",Arial,sans-serif;color:var(--muted);letter-spacing:0}
.notes{list-style:none;margin:0;padding:0;border-top:1px solid var(--border)}
.notes li{display:grid;grid-template-columns:5.2rem minmax(0,1fr);gap:.8rem;padding:.5rem 0;
border-bottom:1px solid var(--border);overflow-wrap:anywhere}
.kind{font-size:.76rem;font-weight:600;line-height:1.5;align-self:start;text-align:center;border-radius:4px;
padding:.05rem .4rem;background:var(--faint);color:var(--muted);margin-top:.12rem}
.caution .kind{background:var(--warnbg);color:var(--warn)}
.fail .kind{background:var(--badbg);color:var(--bad)}
.ok .kind{background:var(--goodbg);color:var(--good)}
figure{margin:0 0 1.4rem;padding:1rem 1.2rem .9rem;background:var(--panel);border:1px solid var(--border);
border-radius:8px;min-width:0}
figcaption{display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem .8rem;margin:0 0 .5rem;overflow-wrap:anywhere}
figcaption b{font-weight:600}
.note{color:var(--muted);font-size:.84rem}
.scroll{overflow-x:auto;overflow-y:hidden}
.scroll.more{-webkit-mask-image:linear-gradient(to left,transparent,#000 2.6rem);
mask-image:linear-gradient(to left,transparent,#000 2.6rem)}
.sideways{display:block;text-align:right;font-size:.76rem;color:var(--muted);margin:.2rem 0 0}
figure .scroll>svg{display:block;width:100%;min-width:700px;height:auto}
figure .scroll>svg+svg{margin-top:1rem}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:1.4rem}
.pair figure .scroll>svg{min-width:330px}
.diagram .scroll{max-height:46rem;overflow:auto;background:
linear-gradient(var(--panel) 30%,transparent) top/100% 3rem no-repeat local,
linear-gradient(transparent,var(--panel) 70%) bottom/100% 3rem no-repeat local,
linear-gradient(var(--border),transparent) top/100% 1.1rem no-repeat scroll,
linear-gradient(transparent,var(--border)) bottom/100% 1.1rem no-repeat scroll}
.diagram .scroll.whole{max-height:none}
.diagram button{display:block;margin:0 0 .6rem auto}
.diagram svg{display:block;width:100%;height:auto;margin:0 auto}
table{border-collapse:collapse;width:100%;font-size:.86rem;line-height:1.4}
th,td{text-align:left;vertical-align:top;padding:.45rem .9rem .45rem 0;border-bottom:1px solid var(--faint)}
th:last-child,td:last-child{padding-right:.2rem}
thead th{font-size:.76rem;font-weight:600;color:var(--muted);border-bottom:1px solid var(--border);vertical-align:bottom;
white-space:nowrap}
tbody th{font-weight:600;overflow-wrap:anywhere;min-width:8rem}
tbody tr:hover{background:var(--sunken)}
.n{text-align:right}
td.n{white-space:nowrap}
td .muted,.day{white-space:nowrap}
.stations th,.stations td{padding-right:.75rem}
.stations tbody th{min-width:6.4rem}
.stations td:nth-child(2){min-width:9.5rem}
.stations .first th,.stations .first td,.arguments .first th,.arguments .first td{border-top:1px solid var(--border)}
.timings td:nth-child(4){width:38%}
.files td:last-child{max-width:26rem}
figure table{margin-top:.7rem}
.fine,.lead{color:var(--muted);font-size:.84rem}
.fine{margin-top:.7rem}
.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}.muted{color:var(--muted)}
.badge{display:inline-block;font-size:.74rem;font-weight:600;line-height:1.5;padding:0 .5rem;border-radius:4px;
white-space:nowrap;background:var(--faint);color:var(--muted);letter-spacing:0;text-transform:none}
.badge.ok{background:var(--goodbg);color:var(--good)}
.badge.fail{background:var(--badbg);color:var(--bad)}
.badge.invented{background:var(--warnbg);color:var(--warn)}
.bar{display:block;height:.62rem;margin-top:.32rem;background:var(--faint);border-radius:3px;overflow:hidden}
.bar i{display:block;height:100%;background:var(--seriesa);border-radius:3px}
footer{grid-column:1/-1;border-top:1px solid var(--border);padding-top:1rem;color:var(--muted);font-size:.8rem}
button{font:inherit;font-size:.76rem;letter-spacing:0;text-transform:none;color:var(--muted);background:none;
border:1px solid var(--border);border-radius:5px;padding:.1rem .6rem;cursor:pointer;margin-left:auto}
button:hover{color:var(--ink);border-color:var(--muted)}
.tip{position:fixed;z-index:5;pointer-events:none;background:var(--panel);color:var(--ink);
border:1px solid var(--border);border-radius:6px;box-shadow:0 4px 16px rgba(0,0,0,.16);padding:.4rem .65rem;
font-size:.78rem;line-height:1.45;max-width:22rem}
.tip b{display:block}
.tip div{display:flex;justify-content:space-between;gap:1.2rem}
@media (max-width:1120px){
.page{grid-template-columns:minmax(0,1fr);padding:0 1.2rem 3rem}
header{padding-top:1.8rem;margin-bottom:1.2rem}
nav{margin:0 -1.2rem 1.8rem;padding:.5rem 1.2rem;position:sticky;top:0;background:var(--background);z-index:3;
border-bottom:1px solid var(--border);overflow-x:auto}
html{scroll-padding-top:3.6rem}
nav ol{display:flex;gap:1.1rem;position:static}
nav a{padding:.1rem 0;border:0;white-space:nowrap}
nav a.here{text-decoration:underline;text-underline-offset:.3em}
}
@media (max-width:680px){
body{font-size:14.5px}
h1{font-size:1.9rem}
.pair{grid-template-columns:minmax(0,1fr);gap:0}
.figures{grid-template-columns:1fr 1fr}
figure{padding:.8rem .8rem .7rem}
.notes li{grid-template-columns:minmax(0,1fr);gap:.2rem}
.kind{justify-self:start}
}
@media print{
html{font-size:11.5px}
body{background:#fff;font-size:9.5pt}
.page{display:block;max-width:none;padding:0}
nav,button,.tip{display:none}
header{padding-top:0}
section{margin-bottom:1.6rem}
h2,h3,figcaption{break-after:avoid}
tr,.notes li,.figure,figure .scroll>svg,figure .scroll>div{break-inside:avoid}
figure{border:0;padding:.3rem 0}
figure .scroll>svg{max-height:8.2cm}
.pair figure .scroll>svg,.diagram .scroll>div>svg{max-height:none}
thead{display:table-header-group}
.scroll.more{-webkit-mask-image:none;mask-image:none}
.sideways{display:none}
.scroll,.diagram .scroll{overflow:visible;max-height:none}
figure .scroll>svg,.pair figure .scroll>svg,.diagram .scroll>div{min-width:0!important}
th,td{padding:.25rem .5rem .25rem 0;font-size:.86rem}
a{color:inherit;text-decoration:none}
}
)css";

constexpr std::string_view kScript = R"js(
(function(){
'use strict';
var root=document.documentElement,over=document.querySelector('.over');
var dark=window.matchMedia('(prefers-color-scheme:dark)');
function isDark(){return root.dataset.theme?root.dataset.theme==='dark':dark.matches}
var button=document.createElement('button');
button.type='button';
function name(){button.textContent=isDark()?'light page':'dark page'}
button.addEventListener('click',function(){root.dataset.theme=isDark()?'light':'dark';name()});
dark.addEventListener('change',name);
name();
if(over){over.appendChild(button)}

document.querySelectorAll('.diagram .scroll').forEach(function(box){
if(box.clientHeight+4>=box.scrollHeight){return}
var whole=document.createElement('button');
whole.type='button';
function say(){whole.textContent=box.classList.contains('whole')?'show less of the diagram':'cut off below: show the whole diagram'}
whole.addEventListener('click',function(){box.classList.toggle('whole');say()});
say();
box.parentNode.insertBefore(whole,box)});

document.querySelectorAll('figure .scroll').forEach(function(box){
var hint=null;
function look(){
var more=box.scrollWidth>box.clientWidth+4;
box.classList.toggle('more',more&&box.scrollWidth-box.clientWidth-box.scrollLeft>4);
if(more&&!hint){hint=document.createElement('span');hint.className='sideways';
hint.textContent='goes on to the right: scroll sideways \u2192';box.parentNode.insertBefore(hint,box.nextSibling)}
if(hint){hint.hidden=!more}}
box.addEventListener('scroll',look,{passive:true});window.addEventListener('resize',look);look()});

function stamp(plot,seconds){
return new Date(Math.round((plot.from-40587)*86400000+seconds*1000)).toISOString().replace(/\.000Z$/,'Z')}
function cell(text){return /[",\n]/.test(text)?'"'+text.replace(/"/g,'""')+'"':text}
function addDownload(svg,plot){
if(!plot.s.some(function(s){return s.t.length})){return}
var figure=svg.closest('figure'),caption=figure?figure.querySelector('figcaption'):null;
if(!caption||!window.Blob||!window.URL){return}
var get=document.createElement('button');
get.type='button';get.textContent='data (CSV)';get.title='what this picture draws; the results files hold every value';
get.addEventListener('click',function(){
var lines=['series,unit,time,value'];
plot.s.forEach(function(s){for(var i=0;s.t.length>i;i++){
lines.push([cell(s.n),cell(s.u),stamp(plot,s.t[i]),s.v[i]===null?'':s.v[i]].join(','))}});
var link=document.createElement('a');
link.href=URL.createObjectURL(new Blob([lines.join('\n')+'\n'],{type:'text/csv'}));
link.download=(caption.firstChild.textContent||'plot').replace(/[^\w.-]+/g,'-')+'.csv';
link.click();URL.revokeObjectURL(link.href)});
caption.appendChild(get)}

var tip=document.createElement('div');
tip.className='tip';tip.hidden=true;
document.body.appendChild(tip);
function line(parent,left,right){
var row=document.createElement('div'),a=document.createElement('span'),b=document.createElement('span');
a.textContent=left;b.textContent=right;row.appendChild(a);row.appendChild(b);parent.appendChild(row)}
function nearest(list,value){
var low=0,high=list.length-1;
while(high-low>1){var middle=(low+high)>>1;if(list[middle]>value){high=middle}else{low=middle}}
return Math.abs(list[low]-value)>Math.abs(list[high]-value)?high:low}
document.querySelectorAll('svg[data-plot]').forEach(function(svg){
var plot=JSON.parse(svg.getAttribute('data-plot'));
addDownload(svg,plot);
var cursor=document.createElementNS('http://www.w3.org/2000/svg','line');
cursor.setAttribute('class','cursor');cursor.setAttribute('y1',plot.y);cursor.setAttribute('y2',plot.b);
cursor.style.display='none';svg.appendChild(cursor);
var seconds=(plot.to-plot.from)*86400;
function hide(){tip.hidden=true;cursor.style.display='none'}
svg.addEventListener('pointerleave',hide);
svg.addEventListener('pointermove',function(event){
var box=svg.getBoundingClientRect(),scale=svg.viewBox.baseVal.width/box.width;
var at=((event.clientX-box.left)*scale-plot.x)/plot.w*seconds;
if(0>at||at>seconds){hide();return}
var best=null;
plot.s.forEach(function(s){if(s.t.length){var i=nearest(s.t,at);
if(best===null||Math.abs(best-at)>Math.abs(s.t[i]-at)){best=s.t[i]}}});
if(best===null){hide();return}
tip.textContent='';
var head=document.createElement('b');
head.textContent=new Date(Math.round((plot.from-40587)*86400000+best*1000)).toISOString().replace(/:00\.000Z$/,'Z').replace(/\.000Z$/,'Z');
tip.appendChild(head);
plot.s.forEach(function(s){if(s.t.length){var i=nearest(s.t,best);
if(seconds/60>Math.abs(s.t[i]-best)){line(tip,s.n,String(s.v[i])+' '+s.u)}}});
var x=plot.x+best/seconds*plot.w;
cursor.setAttribute('x1',x);cursor.setAttribute('x2',x);cursor.style.display='';
tip.hidden=false;
var left=event.clientX+16,width=tip.offsetWidth;
if(left+width>window.innerWidth-8){left=event.clientX-16-width}
tip.style.left=Math.max(4,left)+'px';
tip.style.top=Math.max(4,Math.min(event.clientY+14,window.innerHeight-tip.offsetHeight-8))+'px'})});

var links={};
document.querySelectorAll('nav a').forEach(function(a){links[a.getAttribute('href').slice(1)]=a});
if('IntersectionObserver' in window){
var watcher=new IntersectionObserver(function(entries){entries.forEach(function(entry){
if(entry.isIntersecting){Object.keys(links).forEach(function(id){links[id].classList.toggle('here',id===entry.target.id)})}})},
{rootMargin:'-10% 0px -80% 0px'});
document.querySelectorAll('main section[id]').forEach(function(section){watcher.observe(section)})}
})();
)js";

}  // namespace

std::string HtmlStyleSheet() {
  const std::string light = LightColours();
  const std::string dark = DarkColours();
  return ":root{color-scheme:light;" + light + "}" +  //
         "@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;" + dark +
         "}}" +                                                                     //
         "@media screen{:root[data-theme=dark]{color-scheme:dark;" + dark + "}}" +  //
         InlineSvgStyle() + std::string(kPage);
}

std::string HtmlScript() {
  return std::string(kScript);
}

}  // namespace openmi
